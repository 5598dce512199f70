"""Tables of a paper and of a web page."""

from format_samples import Sample

LATEX = r"""
% results of the ablation
\begin{table}[t]
\centering
\caption{Accuracy on three data sets.}
\begin{tabular}{lccc}
\toprule
 & \multicolumn{2}{c}{Text} & Vision \\
\cmidrule(lr){2-3}
Method & SST-2 & MNLI & CIFAR \\
\midrule
Ours~\cite{us} & $\mathbf{94.1 \pm 0.2}$ & \underline{86.0} & \textbf{97.3}$^{\dagger}$ \\
Base\_line & 93.0 $\pm$ 0.3 & \textbf{86.4} & 96.0 \\ \hline
Old \& slow & 90.2 $\pm$ 0.5 & 80.1 & 95.5 \\
\bottomrule
\end{tabular}
\end{table}
"""
HTML = """<!DOCTYPE html>
<html><head><title>Board</title><style>td { color: red }</style></head><body>
<table><caption>Scores</caption>
<thead><tr><th rowspan="2">Team</th><th colspan="2">Phase 1</th><th>Phase 2</th></tr>
<tr><th>F1</th><th>AUC</th><th>F1</th></tr></thead>
<tbody>
<tr><td><a href="/t/1">Falcons</a></td><td><b>0.91</b></td>
<td>0.95</td><td>0.88<sup>1</sup></td></tr>
<tr><td>Otters</td><td>0.90</td><td>0.94</td><td><b>0.89</b></td></tr>
<tr><td>Geese &amp; Co</td><td>0.70</td><td>0.80</td><td>0.75</td></tr>
</tbody></table></body></html>
"""
HIGHER = {"better": "higher"}
SAMPLES = [
    Sample(format="latex", name="table.tex", content=LATEX, winner="Ours", options=HIGHER,
           size=(3, 3)),
    Sample(format="html", name="board.html", content=HTML, winner="Falcons", options=HIGHER,
           size=(3, 3)),
]  # fmt: skip
