"use strict";
(() => {
  const $ = (selector, within = document) => within.querySelector(selector);
  const all = (selector, within = document) => [...within.querySelectorAll(selector)];
  const data = JSON.parse($("#data").textContent);
  const root = document.documentElement;
  const named = (document.title.split(" - ")[0].normalize("NFKD").replace(/[^A-Za-z0-9._-]+/g, "-")
    .replace(/^[-.]+|[-.]+$/g, "").slice(0, 60) || "deadheat");

  // What only works with a script appears with it.
  all("#theme, [data-json], [data-csv], .buttons, .filters").forEach((each) => { each.hidden = false; });

  function element(name, properties = {}, ...children) {
    const made = Object.assign(document.createElement(name), properties);
    made.append(...children);
    return made;
  }

  function name(text) { return element("bdi", { textContent: text }); }

  function say(text) { $("#said").textContent = text; }

  // A small screen shows the answer first.
  if (window.innerWidth < 700) $(".contents details").open = false;

  // ---- downloads
  function save(content, file, type) {
    const address = URL.createObjectURL(content instanceof Blob ? content : new Blob([content], { type }));
    const link = element("a", { href: address, download: file });
    document.body.append(link);
    link.click();
    link.remove();
    setTimeout(() => URL.revokeObjectURL(address), 60000);
    say(`${file} is saved.`);
  }

  async function unpacked(text) {
    const bytes = Uint8Array.from(atob(text), (char) => char.charCodeAt(0));
    return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"))).text();
  }

  all("[data-csv]").forEach((button) => button.addEventListener("click", async () => {
    const text = await unpacked(data.tables[button.dataset.csv]);
    save(text, `${named}-${button.dataset.csv}.csv`, "text/csv;charset=utf-8");
  }));
  all("[data-json]").forEach((button) => button.addEventListener("click", async () => {
    save(await unpacked(data.whole), `${named}.json`, "application/json");
  }));

  // ---- light and dark
  const dark = window.matchMedia("(prefers-color-scheme: dark)");
  const chosen = () => root.dataset.theme || (dark.matches ? "dark" : "light");
  const toggle = $("#theme");

  function label() {
    const now = chosen();
    toggle.textContent = now === "dark" ? "Light" : "Dark";
    toggle.setAttribute("aria-label", now === "dark" ? "Show in light colours" : "Show in dark colours");
    toggle.setAttribute("aria-pressed", String(now === "dark"));
  }
  toggle.addEventListener("click", () => {
    root.dataset.theme = chosen() === "dark" ? "light" : "dark";
    label();
    redraw();
  });
  dark.addEventListener("change", () => { label(); redraw(); });
  label();

  // ---- pictures, drawn when they are seen
  const views = new Map();
  const boxes = all("[data-draw]");
  const SMALL = 500; // pixels

  // A picture is made narrower, or drawn from a layout of its own where that would spoil it.
  async function sized(kind, width, words) {
    const narrow = data.narrow[kind];
    const spec = JSON.parse(await unpacked((width < SMALL && narrow) || data.pictures[kind]));
    return { ...spec, description: words, ...(!narrow && { width: Math.min(spec.width, Math.max(220, width)) }) };
  }

  // The layout of a small screen may have words of its own.
  function told(box, width) {
    const said = width < SMALL && data.narrow_words[box.dataset.draw];
    const figure = box.closest("figure");
    const [see, words] = [$("figcaption", figure), $(".words p", figure)];
    if (!box.told) box.told = [see.textContent, words.textContent];
    [see.textContent, words.textContent] = said || box.told;
    box.setAttribute("aria-label", words.textContent);
    return words.textContent;
  }

  function draw(box) {
    const width = Math.floor(box.clientWidth || 720);
    const wanted = `${chosen()} ${width}`;
    if (box.dataset.drawn !== wanted) {
      box.dataset.drawn = wanted;
      box.drawing = Promise.resolve(box.drawing).catch(() => null).then(() => drawNow(box, width));
    }
    return box.drawing;
  }

  async function drawNow(box, width) {
    const kind = box.dataset.draw;
    const options = { renderer: "svg", mode: "vega-lite", actions: false, ast: true, config: data.config[chosen()] };
    if (box.clientHeight) box.style.minHeight = `${box.clientHeight}px`;
    if (views.has(kind)) views.get(kind).finalize();
    const made = await window.vegaEmbed(box, await sized(kind, width, told(box, width)), options);
    const drawing = $("svg", box);
    if (drawing) drawing.setAttribute("aria-hidden", "true");
    box.style.minHeight = "";
    views.set(kind, made);
    if (["pairs", "significance", "win-matrix"].includes(kind)) made.view.addEventListener("click", clicked);
    return made;
  }

  function redraw() {
    boxes.filter((box) => box.dataset.drawn).forEach((box) => { draw(box); });
  }

  const watcher = new IntersectionObserver((entries) => {
    entries.filter((entry) => entry.isIntersecting).forEach((entry) => {
      watcher.unobserve(entry.target);
      draw(entry.target);
    });
  }, { rootMargin: "400px" });
  boxes.forEach((box) => watcher.observe(box));

  // Paper is white and has one width, and nothing can be waited for when printing begins: what is
  // printed is drawn beforehand, beside what is seen.
  async function drawForPaper(box) {
    const paper = element("div"); // vega-embed gives it a class of its own
    const sheet = element("div", { className: "paper" }, paper);
    box.after(sheet);
    const kind = box.dataset.draw;
    const options = { renderer: "svg", mode: "vega-lite", actions: false, ast: true, config: data.config.light };
    const spec = JSON.parse(await unpacked(data.pictures[kind]));
    const made = await window.vegaEmbed(paper, { ...spec, description: box.getAttribute("aria-label") }, options);
    made.finalize();
    box.classList.add("screen"); // only now: until then what is seen is printed
    sheet.classList.add("made");
  }

  // Whoever prints wants all of them, so the rest is drawn when nothing else is to be done.
  // A page that is behind another or never idle gets a second at most.
  const idle = (work) => (window.requestIdleCallback || setTimeout)(work, window.requestIdleCallback ? { timeout: 1000 } : 200);
  function next() {
    const box = boxes.find((each) => !each.dataset.drawn);
    const other = boxes.find((each) => !each.dataset.onPaper);
    if (!box) root.dataset.ready = "yes";
    if (!box && !other) { root.dataset.printable = "yes"; return; }
    if (!box) other.dataset.onPaper = "yes";
    (box ? draw(box) : drawForPaper(other)).then(() => idle(next), () => idle(next));
  }
  idle(next);

  // What is folded is printed where it is short, and else where the reader opened it.
  const short = 40;
  let opened = [];
  window.addEventListener("beforeprint", () => {
    opened = all(".fold:not([open])").filter((fold) => $("tbody", fold).rows.length <= short);
    opened.push(...boxes.filter((box) => !$("svg", box)).map((box) => $(".words", box.closest("figure"))));
    opened.forEach((fold) => { fold.open = true; });
  });
  window.addEventListener("afterprint", () => { opened.forEach((fold) => { fold.open = false; }); });

  let waiting = 0;
  let across = window.innerWidth;
  window.addEventListener("resize", () => {
    if (window.innerWidth === across) return;
    across = window.innerWidth;
    clearTimeout(waiting);
    waiting = setTimeout(redraw, 200);
  });

  all("[data-save]").forEach((button) => button.addEventListener("click", async () => {
    const kind = button.dataset.picture;
    const made = await draw($(`[data-draw="${kind}"]`));
    if (button.dataset.save === "svg") {
      save(await made.view.toSVG(), `${named}-${kind}.svg`, "image/svg+xml");
      return;
    }
    const canvas = await made.view.toCanvas(2);
    canvas.toBlob((image) => save(image, `${named}-${kind}.png`), "image/png");
  }));

  // ---- tables that can be sorted
  const numeric = (text) => text !== "" && Number.isFinite(Number(text));

  function sortable(table) {
    const heads = all("thead th", table);
    heads.forEach((head, column) => {
      const button = element("button", { type: "button", textContent: head.textContent.trim() });
      head.replaceChildren(button);
      button.addEventListener("click", () => {
        const upwards = head.getAttribute("aria-sort") !== "ascending";
        heads.forEach((other) => other.removeAttribute("aria-sort"));
        head.setAttribute("aria-sort", upwards ? "ascending" : "descending");
        sort(table, column, upwards ? 1 : -1);
      });
    });
  }

  function sort(table, column, sign) {
    const body = table.tBodies[0];
    const value = (row) => row.cells[column].dataset.v ?? row.cells[column].textContent;
    const rows = [...body.rows];
    const empty = (text) => text === "" || text === "nan" || text === "None" || text === "-";
    rows.sort((one, other) => {
      const [a, b] = [value(one), value(other)];
      if (empty(a) || empty(b)) return Number(empty(a)) - Number(empty(b));
      if (numeric(a) && numeric(b)) return sign * (Number(a) - Number(b));
      return sign * a.localeCompare(b, undefined, { numeric: true });
    });
    rows.forEach((row) => row.classList.remove("new"));
    body.append(...rows);
  }
  all("table[data-sortable]").forEach(sortable);

  // ---- search and filter of the ranking
  const ranked = $("#ranked");
  if (ranked) {
    const [search, group, count] = [$("#search"), $("#group"), $("#count")];
    const filter = () => {
      const wanted = search.value.trim().toLocaleLowerCase();
      let left = 0;
      const rows = [...ranked.tBodies[0].rows];
      rows.forEach((row) => {
        const fits = row.cells[0].textContent.toLocaleLowerCase().includes(wanted)
          && (group.value === "" || row.dataset.group === group.value);
        row.hidden = !fits;
        left += Number(fits);
      });
      count.textContent = left === rows.length ? `${left} candidates` : `${left} of ${rows.length} candidates`;
    };
    search.addEventListener("input", filter);
    group.addEventListener("change", filter);
    filter();
  }

  // ---- one against one
  let pairs = null;
  const [first, second] = [$("#pair-a"), $("#pair-b")];

  function place(i, k) {
    const n = pairs.candidates.length;
    return i * n - (i * (i + 1)) / 2 + (k - i - 1);
  }

  function fact(term, ...what) {
    return element("div", {}, element("dt", { textContent: term }), element("dd", {}, ...what));
  }

  function shares(parts) {
    const bar = element("div", { className: "share" });
    bar.setAttribute("aria-hidden", "true");
    ["a", "t", "z"].forEach((kind, k) => {
      const part = element("span", { className: kind });
      part.style.flex = `${parts[k]} 0 0`;
      bar.append(part);
    });
    return bar;
  }

  function deciding(who, judges) {
    if (!judges.length) return "";
    const list = element("ul", {}, ...judges.map((j) => element("li", {}, name(pairs.judges[j]))));
    return element("div", {}, element("h4", {}, "Judges that speak most for ", name(who)), list);
  }

  function show() {
    const [i, k] = [Number(first.value), Number(second.value)];
    const box = $("#pair");
    if (i === k) {
      box.replaceChildren(element("p", { textContent: "Choose two different candidates." }));
      return;
    }
    const turned = i > k;
    const [one, other] = [pairs.candidates[i], pairs.candidates[k]];
    const pair = pairs.pairs[turned ? place(k, i) : place(i, k)];
    const way = (list) => (turned ? [...list].reverse() : list);
    if (pair.chance) {
      box.replaceChildren(element("dl", {},
        element("div", {}, element("dt", {}, "Chance that ", name(one), " wins against ", name(other)),
          element("dd", { textContent: way(pair.chance_said)[0] })),
        element("div", {}, element("dt", {}, "Rating of ", name(turned ? other : one), " above ", name(turned ? one : other)),
          element("dd", { textContent: pair.lead }))),
        shares(way(pair.chance)),
        element("p", { className: "note" }, `In brackets the ${pair.level} % interval; a tie is half a win. Filled: `,
          name(one), "; hatched: ", name(other), "."));
      return;
    }
    const [won, drawn, lost] = way(pair.wins);
    const [ahead, tied, behind] = way(pair.ahead_said);
    const [mine, theirs] = way([pair.for_a, pair.for_b]);
    const list = element("dl", {},
      element("div", {},
        element("dt", {}, "Lead of ", name(turned ? other : one), " over ", name(turned ? one : other)),
        element("dd", { textContent: `${pair.lead} (${pair.level} % interval ${pair.interval})` })),
      fact("Judges won, tied, lost", `${won} / ${drawn} / ${lost}`),
      fact("Resamples ahead, tied, behind", `${ahead} / ${tied} / ${behind}`));
    box.replaceChildren(list, shares(way(pair.ahead)),
      element("p", { className: "note" }, "Filled: share of resamples in which ", name(one),
        " is ahead; grey: tied; hatched: ", name(other), " is ahead."),
      element("p", { className: "said", textContent: pair.said }),
      element("div", { className: "deciding" }, deciding(one, mine), deciding(other, theirs)));
  }

  function clicked(event, item) {
    if (!item || !item.datum || !pairs) return;
    const { a, b, i: row, j: column } = item.datum;
    const [i, k] = pairs.rated ? [row, column] : [a, b].map((each) => pairs.candidates.indexOf(each));
    if (!(i >= 0 && k >= 0 && i < pairs.candidates.length && k < pairs.candidates.length)) return;
    first.value = String(i);
    second.value = String(k);
    show();
    $("#duel").scrollIntoView({ block: "nearest" });
  }

  if (data.pairs) {
    unpacked(data.pairs).then((text) => {
      pairs = JSON.parse(text);
      first.addEventListener("change", show);
      second.addEventListener("change", show);
      $("#duel").hidden = false;
      show();
    });
  }
})();
