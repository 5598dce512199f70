"""What people look at: pictures, and the page that says who won."""
