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

  function name(text) { return element("bdi", { textContent: text, className: text === marked ? "chosen" : "" }); }

  let marked = ""; // the candidate that is chosen

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

  // ---- pictures: the open ones stand in the page and come to life at once, the folded ones when
  // they are unfolded or nothing else is to be done
  const views = new Map();
  const vega = unpacked($("#vega").textContent).then((code) => {
    document.head.append(element("script", { textContent: code }));
    return window.vegaEmbed;
  });
  const boxes = all("[data-draw]");
  const SMALL = 500; // pixels
  const shut = (box) => box.closest("details.part:not([open])");

  // A picture is made narrower, or drawn from a layout of its own where that would spoil it.
  async function sized(kind, width, words) {
    const narrow = data.narrow[kind];
    const wide = JSON.parse(await unpacked(data.pictures[kind]));
    if (!narrow) return { ...wide, description: words, width: Math.min(wide.width, Math.max(220, width)) };
    if (width >= SMALL) return { ...wide, description: words };
    const small = JSON.parse(await unpacked(narrow)); // its rows are those of the wide one, where they are the same
    return { ...small, description: words, datasets: { ...wide.datasets, ...small.datasets } };
  }

  // The layout of a small screen may have words of its own.
  function told(box, width) {
    const said = width < SMALL && data.narrow_words[box.dataset.draw];
    const figure = box.closest("figure");
    const [see, words] = [$("figcaption", figure), $(".words p", figure)];
    if (!box.told) box.told = [see.textContent, words.textContent];
    [see.textContent, words.textContent] = said || box.told;
    return words.textContent;
  }

  function draw(box) {
    const width = Math.floor(box.clientWidth || Math.min(720, $("main").clientWidth));
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
    const spec = await sized(kind, width, told(box, width));
    const embed = await vega;
    const still = !views.has(kind) && $("svg", box);
    if (still) onPaper(box, still);
    const made = await embed(box, spec, options);
    const drawing = $("svg", box);
    if (drawing) drawing.setAttribute("aria-hidden", "true");
    box.style.minHeight = "";
    views.set(kind, made);
    if (["improvement", "significance"].includes(kind)) made.view.addEventListener("click", clicked);
    else made.view.addEventListener("click", (event, item) => { const who = about(item).find(isKnown); if (who) choose(who); });
    mark(box);
    return made;
  }

  function redraw() {
    boxes.filter((box) => box.dataset.drawn && !shut(box)).forEach((box) => { draw(box); });
    if (race) race.draw(false);
    if (pairs) show();
  }
  all("details.part").forEach((part) => part.addEventListener("toggle", () => {
    if (part.open) all("[data-draw]", part).forEach((box) => { draw(box); });
  }));

  // Paper is white and has one width, and nothing can be waited for when printing begins: what is
  // printed is drawn beforehand, beside what is seen. Until then what is seen is printed.
  function onPaper(box, drawing) {
    box.after(element("div", { className: "paper" }, drawing));
    box.classList.add("screen");
    box.dataset.onPaper = "yes";
  }

  async function drawForPaper(box) {
    const paper = element("div"); // vega-embed gives it a class of its own
    const kind = box.dataset.draw;
    const options = { renderer: "svg", mode: "vega-lite", actions: false, ast: true, config: data.config.light };
    const spec = JSON.parse(await unpacked(data.pictures[kind]));
    const embed = await vega;
    const made = await embed(paper, { ...spec, description: $(".words p", box.closest("figure")).textContent }, options);
    made.finalize();
    onPaper(box, paper);
  }

  // Whoever prints wants all of them, so the rest is drawn when nothing else is to be done.
  // A page that is behind another or never idle gets a second at most.
  const idle = (work) => (window.requestIdleCallback || setTimeout)(work, window.requestIdleCallback ? { timeout: 1000 } : 200);
  function next() {
    const other = boxes.find((each) => !each.dataset.onPaper);
    if (!other) { root.dataset.printable = "yes"; return; }
    other.dataset.onPaper = "yes";
    drawForPaper(other).then(() => idle(next), () => idle(next));
  }
  Promise.all(boxes.filter((box) => !shut(box)).map(draw)).finally(() => {
    root.dataset.ready = "yes";
    idle(next);
  });

  // What is folded is printed where it is short, and else where the reader opened it.
  const short = 40;
  let opened = [];
  window.addEventListener("beforeprint", () => {
    opened = all(".fold:not([open])").filter((fold) => $("tbody", fold).rows.length <= short);
    opened.push(...all("details.part:not([open]), details.lines:not([open])"));
    opened.push(...boxes.filter((box) => !$("svg", box.closest("figure"))).map((box) => $(".words", box.closest("figure"))));
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

  async function saveDrawing(drawing, form, kind) {
    const written = new XMLSerializer().serializeToString(drawing)
      .replace(/var\((--\w+)\)/g, (_, name) => getComputedStyle(root).getPropertyValue(name).trim());
    if (form === "svg") { save(written, `${named}-${kind}.svg`, "image/svg+xml"); return; }
    const image = new Image();
    image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(written)}`;
    await image.decode();
    const canvas = element("canvas", { width: 2 * drawing.clientWidth, height: 2 * drawing.clientHeight });
    canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
    canvas.toBlob((blob) => save(blob, `${named}-${kind}.png`), "image/png");
  }

  all("[data-save]").forEach((button) => button.addEventListener("click", async () => {
    const [kind, form] = [button.dataset.picture, button.dataset.save];
    if ("live" in button.dataset) { saveDrawing($("#live svg"), form, kind); return; }
    const made = await draw($(`[data-draw="${kind}"]`));
    if (form === "svg") {
      save(await made.view.toSVG(), `${named}-${kind}.svg`, "image/svg+xml");
      return;
    }
    const canvas = await made.view.toCanvas(2);
    canvas.toBlob((image) => save(image, `${named}-${kind}.png`), "image/png");
  }));

  // ---- the address has the state of the page: #by=copeland&pair=a,b
  const state = {};
  function remember(changes) {
    Object.assign(state, changes);
    const parts = Object.entries(state).filter(([, value]) => value).map(([key, value]) => `${key}=${value}`);
    if (parts.length || location.hash.includes("=")) history.replaceState(null, "", `#${parts.join("&")}`);
  }
  function recall() {
    const hash = location.hash.slice(1);
    if (!hash.includes("=")) return {};
    return Object.fromEntries(hash.split("&").map((part) => part.split("=")).filter((part) => part.length === 2));
  }
  const quote = (text) => encodeURIComponent(text).replace(/,/g, "%2C");
  const read = (text) => { try { return decodeURIComponent(text); } catch { return text; } };

  // ---- a candidate that is chosen anywhere is marked everywhere
  const SIDES = ["candidate", "a", "b", "row", "column"]; // fields of a mark that name somebody
  const datumOf = (item) => (item && item.datum) || {};
  const about = (item) => SIDES.map((side) => datumOf(item)[side]).filter((each) => typeof each === "string");
  const whose = (item) => datumOf(item).candidate || "";

  function mark(box, who = marked) {
    const items = all("svg path, svg line, svg text, svg g.mark-symbol > *", box);
    const mine = who ? items.filter((each) => about(each.__data__).includes(who)) : [];
    const names = new Set([who, ...mine.map((each) => whose(each.__data__))]); // a row of two has a name of its own
    items.forEach((each) => {
      each.classList.toggle("faded", mine.length > 0 && about(each.__data__).length > 0 && !mine.includes(each));
      const { value } = datumOf(each.__data__); // of an axis, whose names may be cut
      if (each.tagName === "text") each.classList.toggle("chosen", Boolean(who) && (names.has(each.textContent) || names.has(value)));
    });
    // What is drawn last lies in front.
    mine.filter((each) => each.closest(".mark-line"))
      .forEach((each) => {
        const group = each.closest(".mark-group > g, .mark-line");
        if (group !== group.parentNode.lastElementChild) group.parentNode.append(group);
      });
  }

  function choose(who) {
    marked = who === marked ? "" : who;
    if (marked && ranked) ranked.turnTo(marked);
    remember({ who: quote(marked) });
    boxes.forEach((box) => mark(box));
    markRows();
    if (race) race.mark();
    if (pairs) meet(marked);
    say(marked ? `${marked} is marked.` : "Nobody is marked.");
  }
  const isKnown = (who) => Boolean((ranked && ranked.has(who)) || (race && race.has(who)));
  function markRows() { all("tr[data-who]").forEach((row) => row.classList.toggle("chosen", row.dataset.who === marked)); }

  boxes.forEach((box) => {
    box.addEventListener("pointerover", (event) => {
      const line = event.target.closest && event.target.closest(".mark-line path");
      if (line && whose(line.__data__)) mark(box, whose(line.__data__));
    });
    box.addEventListener("pointerout", (event) => { if (event.target.closest(".mark-line")) mark(box); });
  });

  // ---- tables that can be sorted
  const numeric = (text) => text !== "" && Number.isFinite(Number(text));
  const empty = (text) => text === "" || text === "nan" || text === "None" || text === "-";

  function sorted(rows, column, sign) {
    const value = (row) => row.cells[column].dataset.v ?? row.cells[column].textContent.trim();
    return rows.sort((one, other) => {
      const [a, b] = [value(one), value(other)];
      if (empty(a) || empty(b)) return Number(empty(a)) - Number(empty(b));
      if (numeric(a) && numeric(b)) return sign * (Number(a) - Number(b));
      return sign * a.localeCompare(b, undefined, { numeric: true });
    });
  }

  function sortable(table) {
    const heads = all("thead th", table);
    heads.forEach((head, column) => {
      const button = element("button", { type: "button", textContent: head.textContent.trim() });
      head.replaceChildren(button);
      button.addEventListener("click", () => {
        const upwards = head.getAttribute("aria-sort") !== "ascending";
        heads.forEach((other) => other.removeAttribute("aria-sort"));
        head.setAttribute("aria-sort", upwards ? "ascending" : "descending");
        const body = table.tBodies[0];
        if (table.resort) table.resort(column, upwards ? 1 : -1);
        else body.append(...sorted([...body.rows], column, upwards ? 1 : -1));
      });
    });
  }
  all("table[data-sortable]").forEach(sortable);

  // An axis fits the better half where the rest would flatten it: fitting_ends of charts/rows.py.
  function fittingEnds(best) { // rows of numbers, the best first, of which the larger ones are better
    const ends = (some) => { const values = some.flat().filter(Number.isFinite); return [Math.min(...values), Math.max(...values)]; };
    const [low, high] = ends(best);
    const [from, to] = ends(best.slice(0, Math.max(data.fit.least, Math.ceil(best.length / 2))));
    const flat = high - low > data.fit.longer * (to - from) && to > from;
    return [flat ? Math.max(low, from - data.fit.beyond * (to - from)) : low, high];
  }
  const limit = (value, low, high) => Math.min(high, Math.max(low, value));

  // The lines of a page of the ranking have an axis of their own: that of all would flatten them.
  function refit(seen) {
    const bars = seen.map((row) => $(".bar", row)).map((bar) => ({ bar, x: bar.dataset.x.split(" ").map((at) => (at === "" ? NaN : Number(at))) }));
    if (!bars.length) return;
    const [low, high] = fittingEnds(bars.map(({ x }) => x).sort((a, b) => b[1] - a[1]));
    const place = (at, open) => (Number.isNaN(at) ? open : limit((100 * (at - low)) / (high - low || 1), 0, 100));
    bars.forEach(({ bar, x }) => {
      const [line, dot] = bar.children;
      const [left, right] = [place(x[0], 0), place(x[2], 100)].sort((a, b) => a - b);
      const off = x[1] < low;
      Object.assign(line.style, { left: `${left}%`, width: `${right - left}%` });
      Object.assign(dot, { className: off ? "off" : "dot", textContent: off ? "\u2039" : "" });
      dot.style.left = `${place(x[1], 0)}%`;
    });
  }

  // ---- the ranking: searched, filtered, and read in pages
  const ranked = $("#ranked");
  async function ranking() {
    const [search, group, count, pages, body] = [$("#search"), $("#group"), $("#count"), $("#pages"), ranked.tBodies[0]];
    let rows = [...body.rows];
    const PAGE = rows.length;
    if (data.lines) {
      const holder = element("template");
      holder.innerHTML = `<table><tbody>${await unpacked(data.lines)}</tbody></table>`;
      rows = all("tr", holder.content);
    }
    let start = 0;
    const { one, many } = count.dataset;
    const spell = (number) => number.toLocaleString("en");
    const [back, on, place] = [element("button", { type: "button", textContent: "Previous" }),
      element("button", { type: "button", textContent: "Next" }), element("span")];
    if (pages && data.lines) pages.replaceChildren(back, place, on);

    function show() {
      const wanted = search.value.trim().toLocaleLowerCase();
      const fit = rows.filter((row) => row.dataset.who.toLocaleLowerCase().includes(wanted)
        && (!group || group.value === "" || row.dataset.group === group.value));
      start = Math.max(0, Math.min(start, PAGE * Math.floor((fit.length - 1) / PAGE)));
      const seen = data.lines ? fit.slice(start, start + PAGE) : fit;
      body.replaceChildren(...seen);
      if (data.lines) refit(seen);
      const noun = rows.length === 1 ? one : many;
      count.textContent = fit.length === rows.length ? `${spell(rows.length)} ${noun}` : `${spell(fit.length)} of ${spell(rows.length)} ${noun}`;
      place.textContent = fit.length ? ` ${spell(start + 1)} to ${spell(start + seen.length)} of ${spell(fit.length)} ` : "";
      back.disabled = start === 0;
      on.disabled = start + PAGE >= fit.length;
      markRows();
    }
    const turn = (by) => { start += by; show(); };
    back.addEventListener("click", () => turn(-PAGE));
    on.addEventListener("click", () => turn(PAGE));
    search.addEventListener("input", () => { start = 0; show(); });
    if (group) group.addEventListener("change", () => { start = 0; show(); });
    ranked.has = (who) => rows.some((row) => row.dataset.who === who);
    ranked.turnTo = (who) => { // the page of somebody, whatever is searched
      const at = rows.findIndex((row) => row.dataset.who === who);
      if (at < 0) return false;
      if (!body.contains(rows[at])) {
        search.value = "";
        if (group) group.value = "";
        start = PAGE * Math.floor(at / PAGE);
        show();
      }
      return true;
    };
    ranked.resort = (column, sign) => { sorted(rows, column, sign); start = 0; show(); };
    ranked.addEventListener("click", (event) => {
      const row = event.target.closest("tbody tr");
      if (row) choose(row.dataset.who);
    });
    const more = $("#more");
    more.addEventListener("click", () => {
      const wide = ranked.classList.toggle("wide");
      more.setAttribute("aria-pressed", String(wide));
      more.textContent = wide ? "Fewer columns" : "More columns";
    });
    show();
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

  function drawn(tag, properties, ...children) {
    const made = document.createElementNS("http://www.w3.org/2000/svg", tag);
    Object.entries(properties).forEach(([key, value]) => {
      if (key === "style") Object.assign(made.style, value); else made.setAttribute(key, value);
    });
    made.append(...children);
    return made;
  }

  // A dot with its interval, against the line of no difference.
  function against([at, low, high], zero, worse, better) {
    const width = Math.min(512, $("#pair").clientWidth || 300);
    const brief = (text) => { const most = Math.floor(width / 16); return text.length > most ? `${text.slice(0, most - 1)}\u2026` : text; };
    const [left, right] = [`\u2190 ${brief(worse)}`, `${brief(better)} \u2192`];
    const [from, to] = [Math.min(0, low), Math.max(0, high)];
    const x = (value) => 30 + (width - 60) * ((value - from) / (to - from || 1));
    const text = (where, y, said, anchor) => drawn("text", { x: where, y, "text-anchor": anchor, style: { fill: "var(--muted)", fontSize: "12px" } }, said);
    const colour = low > 0 ? "var(--wins)" : high < 0 ? "var(--loses)" : "var(--rest)";
    return drawn("svg", { width, height: 62, viewBox: `0 0 ${width} 62`, class: "against", role: "img", "aria-label": "the dot is the difference, the line its interval" },
      drawn("line", { x1: x(0), x2: x(0), y1: 16, y2: 46, style: { stroke: "var(--ink)" } }),
      drawn("line", { x1: x(low), x2: x(high), y1: 31, y2: 31, "stroke-width": 5, "stroke-linecap": "round", style: { stroke: colour, opacity: 0.45 } }),
      drawn("circle", { cx: x(at), cy: 31, r: 6, style: { fill: colour } }),
      text(x(0), 59, zero, "middle"), text(0, 11, left, "start"), text(width, 11, right, "end"));
  }

  function number(value, digits) {
    const decimals = Math.abs(value) >= 1000 ? 0 : digits;
    return value.toLocaleString("en", { minimumFractionDigits: decimals, maximumFractionDigits: decimals }).replace("-", "\u2212");
  }

  function deciding(who, judges) {
    if (!judges.length) return "";
    const list = element("ul", {}, ...judges.map((j) => element("li", {}, name(pairs.judges[j]))));
    return element("div", {}, element("h4", {}, `${capital(pairs.nouns[2])} that speak most for `, name(who)), list);
  }
  const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);

  function show() {
    const [i, k] = [Number(first.value), Number(second.value)];
    const box = $("#pair");
    if (i === k) {
      box.replaceChildren(element("p", { textContent: `Choose two different ${pairs.nouns[1]}.` }));
      return;
    }
    const turned = i > k;
    const [one, other] = [pairs.candidates[i], pairs.candidates[k]];
    const pair = pairs.pairs[turned ? place(k, i) : place(i, k)];
    const way = (list) => (turned ? [...list].reverse() : list);
    const at = turned ? [-pair.at[0], -pair.at[2], -pair.at[1]] : pair.at;
    if (pair.chance) {
      box.replaceChildren(element("dl", {},
        element("div", {}, element("dt", {}, "Chance that ", name(one), " wins against ", name(other)),
          element("dd", { textContent: way(pair.chance)[0] })),
        element("div", {}, element("dt", {}, "Rating of ", name(one), " above ", name(other)),
          element("dd", { textContent: turned ? `\u2212${pair.lead}` : pair.lead }))),
        against(at, "50 %", other, one),
        element("p", { className: "note" }, `In brackets the ${pair.level} % interval; a tie is half a win.`));
      return;
    }
    const [won, even, lost] = way(pair.wins);
    const [mine, theirs] = way([pair.for_a, pair.for_b]);
    const spell = (value) => number(value, pairs.digits);
    const unit = pairs.unit && ` ${pairs.unit}`;
    const ahead = turned ? pair.ahead[2] : pair.ahead[0];
    box.replaceChildren(
      element("dl", {},
        element("div", {}, element("dt", {}, "Lead of ", name(one), " over ", name(other)),
          element("dd", { textContent: `${spell(at[0])}${unit} (${pair.level} % interval ${spell(at[1])} to ${spell(at[2])})` })),
        fact(capital(pairs.nouns[2]), name(one), ` wins ${won}, `, name(other), ` ${lost}${even ? `; ${even} tied` : ""}`),
        element("div", {}, element("dt", {}, name(one), " is ahead in"), element("dd", { textContent: `${ahead} of resamples` }))),
      against(at, "0", other, one),
      element("details", { className: "words" }, element("summary", { textContent: "The same in words" }), element("p", { className: "said", textContent: pair.said })),
      element("div", { className: "deciding" }, deciding(one, mine), deciding(other, theirs)));
  }

  const chosenPair = () => [first, second].map((each) => quote(pairs.candidates[Number(each.value)])).join(",");
  function pick() {
    remember({ pair: chosenPair() });
    show();
  }

  // Whoever is chosen stands in the card, too.
  function meet(who) {
    const k = String(pairs.candidates.indexOf(who));
    if (k !== "-1" && ![first.value, second.value].includes(k)) {
      second.value = k;
      if (state.pair) remember({ pair: chosenPair() });
    }
    show();
  }

  function clicked(event, item) {
    if (!item || !item.datum || !pairs) return;
    const [i, k] = [item.datum.a, item.datum.b].map((each) => pairs.candidates.indexOf(each));
    if (!(i >= 0 && k >= 0)) return;
    [first.value, second.value] = [String(i), String(k)];
    pick();
    $("#duel").scrollIntoView({ block: "nearest" });
  }

  function pairOf(text) {
    const [i, k] = (text || "").split(",").map((each) => pairs.candidates.indexOf(read(each)));
    if (!(i >= 0 && k >= 0)) return false;
    [first.value, second.value] = [String(i), String(k)];
    return true;
  }

  // ---- the race: the first picture, counted, drawn and weighed otherwise
  let race = null;
  const calm = window.matchMedia("(prefers-reduced-motion: reduce)");

  function raceOf(live) {
    const n = live.candidates.length;
    const [one, many, unit, units] = live.nouns;
    const everybody = [...Array(n).keys()];
    // A name from right to left must move nothing beside it in a sentence.
    const called = live.candidates.map((who) => (/[\u0590-\u08ff\ufb1d-\ufefc]/.test(who) ? `\u2068${who}\u2069` : who));
    const FEW = 24; const BEST = 20; const ROW = 19; const TOP = 22; const MOST_SAID = 3;
    const SEED = 1; const LEAST = 1000; const MOST = 3e8; // resamples, and steps that they may take
    const tested = live.same_tests && live.units >= live.fewest;
    const times = tested ? Math.max(LEAST, Math.ceil((1.1 * (n - 1)) / live.alpha)) : LEAST;
    const pots = [];
    (live.stratum || Array(live.units).fill(0)).forEach((pot, u) => { (pots[pot] = pots[pot] || []).push(u); });

    // Numbers in 0 to 1 that a seed determines (mulberry32).
    function numbers(seed) {
      let a = seed >>> 0;
      return () => {
        a = (a + 0x6d2b79f5) >>> 0;
        let t = Math.imul(a ^ (a >>> 15), a | 1);
        t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
        return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
      };
    }

    // Merits are weighted sums over units, divided by the weight of all.
    function merits(weights, way = live.ways[0]) {
      const found = new Float64Array(n);
      let total = 0;
      weights.forEach((weight, u) => {
        if (!weight) return;
        total += weight * live.totals[u];
        for (let i = 0; i < n; i += 1) found[i] += weight * way.sums[i][u];
      });
      return found.map((sum) => sum / (total * way.scale));
    }

    // Weights of units as the plan draws them, of a competition of so many instead of all.
    function drawWeights(random, number = live.units) {
      const weights = new Float64Array(live.units);
      pots.forEach((pot) => {
        const size = pot.length;
        const wanted = Math.max(1, Math.round((size * number) / live.units));
        const draws = live.rao_wu ? Math.max(1, Math.round((wanted * (size - 1)) / size)) : wanted;
        for (let k = 0; k < draws; k += 1) weights[pot[Math.floor(random() * size)]] += size / draws;
      });
      return weights;
    }

    const close = (a, b) => 1e-12 * Math.max(Math.abs(a), Math.abs(b));
    function winnersOf(row) {
      const best = row.reduce((a, b) => Math.max(a, b), -Infinity);
      return everybody.filter((i) => row[i] >= best - close(row[i], best));
    }

    // Who is level with the leader, who is first most often: tested one-sided against each, by Holm's correction.
    function level(resampled, observed) {
      const firsts = Array(n).fill(0);
      resampled.forEach((row) => winnersOf(row).forEach((i) => { firsts[i] += 1; }));
      const leader = everybody.reduce((a, b) => (firsts[b] > firsts[a] || (firsts[b] === firsts[a] && observed[b] > observed[a]) ? b : a));
      const tests = everybody.filter((i) => i !== leader).map((i) => {
        const not = resampled.reduce((sum, row) => sum + Number(row[i] >= row[leader] - close(row[i], row[leader])), 0);
        return { i, p: (1 + not) / (1 + resampled.length) };
      }).sort((a, b) => a.p - b.p);
      const passed = tests.findIndex(({ p }, k) => p > (live.alpha / (tests.length - k)) * (1 + 1e-9));
      const tied = passed < 0 ? [] : tests.slice(passed).map(({ i }) => i);
      return { leader, level: [leader, ...tied], first: firsts.map((number) => number / resampled.length) };
    }

    // As the package says shares.
    function percent(share) {
      if (share > 0.999) return share === 1 ? "100 %" : ">99.9 %";
      const step = share < 0.095 || share > 0.99 ? 10 : 1; // half a step goes up
      return share < 0.001 ? "<0.1 %" : `${(Math.floor(100 * step * share + 0.5 + 1e-9) / step).toFixed(step === 10 ? 1 : 0)} %`;
    }

    function quantile(ordered, share) {
      const at = share * (ordered.length - 1);
      const low = Math.floor(at);
      return ordered[low] + (at - low) * ((ordered[low + 1] ?? ordered[low]) - ordered[low]);
    }

    // What is shown: by a way of counting, as the package computed it, or of other weights.
    const control = { by: 0, units: live.units, weights: (live.weighed ? live.weighed.names : []).map(() => 1) };
    const touched = () => control.units < live.units || control.weights.some((weight) => weight !== 1);
    const family = () => Array.from(live.totals, (_, u) => (live.weighed ? control.weights[live.weighed.of[u]] : 1));
    const shown = (way, merit) => way.shows[0] + way.shows[1] * merit;

    function asComputed(way) {
      const at = (list) => { const found = Array(n).fill(null); way.who.forEach((i, k) => { found[i] = list[k] ?? null; }); return found; };
      const [low, high, first, values] = [way.low, way.high, way.first, way.shown].map(at);
      return { way, low, high, first, shown: values, order: way.who, level: way.level, said: way.said, more: way.more };
    }

    // Who has a row: everybody, or the best and whoever is chosen.
    const most = n <= FEW ? n : BEST;
    function seen(order) {
      const best = order.slice(0, most);
      const chosen = live.candidates.indexOf(marked);
      return chosen < 0 || best.includes(chosen) || !order.includes(chosen) ? best : [...best, chosen];
    }

    function weighed(way, own = family()) {
      const observed = merits(own, way);
      const order = everybody.slice().sort((a, b) => observed[b] - observed[a]);
      const view = { way, order, shown: [...observed].map((merit) => shown(way, merit)), low: [], high: [], first: [], level: [] };
      const dot = `Dot: ${way.heading}.`;
      if (!live.drawn) return { ...view, said: `${called[order[0]]} is first with these weights.`, more: dot };
      const random = numbers(SEED);
      const resampled = Array.from({ length: times }, () => merits(drawWeights(random, control.units).map((w, u) => w * own[u]), way));
      const found = level(resampled, observed);
      seen(order).forEach((i) => {
        const ordered = Float64Array.from(resampled, (row) => row[i]).sort();
        const ends = [quantile(ordered, live.tail), quantile(ordered, 1 - live.tail)].map((merit) => shown(way, merit)).sort((a, b) => a - b);
        [view.low[i], view.high[i]] = ends;
      });
      const others = found.level.length - 1;
      const on = control.units < live.units ? `With ${control.units} of ${live.units} ${units}` : "With these weights";
      const more = `${dot} Bar: ${Number((100 * (1 - live.alpha)).toFixed(2))} % interval of ${times.toLocaleString("en")} resamples, drawn here.`;
      const shared = found.first.reduce((sum, share) => sum + share, 0) > 1.005 ? " A shared first place counts for each." : "";
      const best = { ...view, first: found.first, more: more + shared, said: `${on}, ${called[order[0]]} has the best score: ` };
      if (!live.same_tests) return { ...best, said: `${best.said}the tests that were asked for are not made here.` };
      if (control.units < live.fewest) return { ...best, said: `${best.said}too few for a test.` };
      const tie = others === 0 ? "nobody is" : others === 1 ? `1 other ${one} is` : `${others} other ${many} are`;
      return { ...best, level: found.level, said: `${on}, ${tie} level with ${called[found.leader]}.` };
    }

    const canWeigh = (way) => Boolean(way.sums) && (!live.drawn || n * live.units * times <= MOST);
    function now() {
      const way = live.ways[control.by];
      return touched() && canWeigh(way) ? weighed(way) : asComputed(way);
    }

    // -- the drawing
    const box = $("#live");
    const told = $("#answer .words p");
    const words = told.textContent;
    const rows = new Map();
    let view = null;
    let x = () => 0;
    let svg = null;

    function axis(visible, left, right, width) {
      const { way } = view;
      const g = way.log ? Math.log : (value) => value;
      const sign = way.lower ? -1 : 1;
      let [low, high] = fittingEnds(visible.map((i) => [view.shown[i], view.low[i], view.high[i]].filter(Number.isFinite).map((value) => sign * g(value))));
      if (way.lower) [low, high] = [-high, -low];
      const margin = 0.03 * (high - low || Math.abs(high) || 1);
      [low, high] = [low - margin, high + margin];
      const place = (value) => {
        const share = limit((g(value) - low) / (high - low), -0.012, 1.012);
        return left + (right - left) * (way.lower ? 1 - share : share); // right is better
      };
      const steps = Math.max(2, Math.floor((right - left) / (width < SMALL ? 56 : 90)));
      const ticks = [];
      const exact = (high - low) / steps;
      if (way.log && high - low > Math.log(4)) {
        for (let k = Math.floor(low / Math.LN10); k <= Math.ceil(high / Math.LN10); k += 1) {
          [1, 2, 5].forEach((digit) => { const at = Math.log(digit) + k * Math.LN10; if (at >= low && at <= high) ticks.push(Number(`${digit}e${k}`)); });
        }
      } else {
        const [a, b] = way.log ? [Math.exp(low), Math.exp(high)] : [low, high];
        const rough = way.log ? (b - a) / steps : exact;
        const power = 10 ** Math.floor(Math.log10(rough));
        const step = power * ([1, 2, 5, 10].find((each) => each * power >= 0.5 * rough) || 10);
        for (let k = Math.ceil(a / step); k * step <= b; k += 1) ticks.push(Number((k * step).toPrecision(12)));
      }
      return { place, ticks };
    }

    function fitted(text, room) {
      const whole = text.textContent;
      for (let keep = whole.length - 1; keep > 1 && text.getComputedTextLength() > room; keep -= 1) text.textContent = `${whole.slice(0, keep)}\u2026`;
    }

    function colours(i) {
      const tied = view.level.includes(i);
      return { fill: tied ? "var(--accent)" : "var(--rest)", ink: tied ? "var(--ink)" : "var(--muted)", weight: tied ? 700 : 400 };
    }

    function rowOf(i) {
      const text = drawn("text", { y: 4, "text-anchor": "end" }, live.candidates[i]);
      const line = drawn("line", { y1: 0, y2: 0, "stroke-width": 5, "stroke-linecap": "round" });
      const dot = drawn("circle", { r: 5.5, cx: 0, cy: 0 });
      const share = drawn("text", { y: 4, "text-anchor": "end" });
      const beyond = drawn("text", { y: 4, style: { fill: "var(--muted)", fontSize: "12px" } });
      const back = drawn("rect", { x: 0, y: -ROW / 2, height: ROW, style: { fill: "transparent" } });
      const group = drawn("g", { class: "runner", "data-who": live.candidates[i] }, back, text, line, dot, share, beyond);
      group.append(drawn("title", {}, live.candidates[i]));
      group.addEventListener("click", () => choose(live.candidates[i]));
      svg.append(group);
      return { group, text, line, dot, share, back, beyond };
    }

    function draw(moving = true) {
      view = now();
      const width = Math.max(280, Math.floor(box.clientWidth));
      const fresh = !svg || svg.dataset.width !== String(width);
      if (fresh) {
        rows.clear();
        svg = drawn("svg", { width, height: 0, "data-width": width, "aria-hidden": "true", class: "race" });
        box.append(svg);
      }
      svg.classList.toggle("still", !moving || calm.matches || fresh);
      const visible = seen(view.order);
      const further = visible.slice(most);
      const [left, right] = [Math.min(170, Math.round(0.31 * width)), width - 58];
      const { place, ticks } = axis(visible.slice(0, most), left + 8, right - 8, width);
      x = place;
      const bottom = TOP + (most + (n > most ? 1.4 : 0)) * ROW; // the last row is for whoever is chosen
      svg.setAttribute("height", bottom + 20);
      svg.setAttribute("viewBox", `0 0 ${width} ${bottom + 20}`);
      all(".guide", svg).forEach((each) => each.remove());
      const quiet = { fill: "var(--muted)", fontSize: "12px" };
      const guides = drawn("g", { class: "guide" });
      const label = (at, y, said, anchor) => drawn("text", { x: at, y, "text-anchor": anchor, style: quiet }, said);
      let last = -Infinity;
      const reach = n > most && !further.length ? TOP + most * ROW : bottom; // words stand there
      ticks.map((tick) => [place(tick), tick]).sort((a, b) => a[0] - b[0]).forEach(([at, tick]) => {
        guides.append(drawn("line", { x1: at, x2: at, y1: TOP - 4, y2: reach, style: { stroke: "var(--faint)" } }));
        const said = `${Number(tick.toPrecision(6)).toLocaleString("en", { maximumSignificantDigits: 6 }).replace("-", "\u2212")}${view.way.unit || ""}`;
        if (at - last > 8 * said.length + 8) { guides.append(label(at, bottom + 15, said, "middle")); last = at; }
      });
      guides.append(label(right - 8, 13, `better ${view.way.heading} \u2192`, "end"));
      if (view.first.some(Number.isFinite)) guides.append(label(width - 2, 13, "first in", "end"));
      svg.prepend(guides);
      let beyond = 0;
      rows.forEach((row, i) => { if (!visible.includes(i)) { row.group.remove(); rows.delete(i); } });
      if (n > most) {
        const edge = TOP + (most + 0.2) * ROW;
        guides.append(drawn("line", { x1: 0, x2: width, y1: edge, y2: edge, style: { stroke: "var(--rest)", strokeDasharray: "2 3" } }));
        if (!further.length) guides.append(label(2, edge + 0.75 * ROW, `${(n - most).toLocaleString("en")} more: choose one below to see it here`, "start"));
      }
      visible.forEach((i, k) => {
        if (!rows.has(i)) { rows.set(i, rowOf(i)); rows.get(i).group.style.transform = `translateY(${bottom}px)`; svg.getBoundingClientRect(); }
        const row = rows.get(i);
        const { fill, ink, weight } = colours(i);
        row.group.style.transform = `translateY(${TOP + (k + (k < most ? 0.5 : 0.9)) * ROW}px)`;
        row.back.setAttribute("width", width);
        row.text.setAttribute("x", left - 8);
        Object.assign(row.text.style, { fill: ink, fontWeight: weight, fontSize: "13px" });
        row.text.textContent = `${k < most ? "" : `${(1 + view.order.indexOf(i)).toLocaleString("en")}\u2002`}${live.candidates[i]}`;
        fitted(row.text, left - 12);
        const known = Number.isFinite(view.low[i]) && Number.isFinite(view.high[i]);
        const ends = known ? [place(view.low[i]), place(view.high[i])] : [0, 0]; // clipped at the scale
        row.line.setAttribute("x1", Math.min(...ends));
        row.line.setAttribute("x2", Math.max(...ends));
        const at = place(view.shown[i]);
        const off = at < left + 8 || at > right - 8; // then a number stands there
        beyond += off && k < most;
        Object.assign(row.line.style, { stroke: fill, opacity: known && !off ? 0.38 : 0 });
        Object.assign(row.dot.style, { fill, stroke: "none", transform: `translateX(${at}px)` });
        row.dot.setAttribute("r", off ? 0 : 5.5);
        row.beyond.setAttribute("x", limit(at, left + 8, right - 8));
        row.beyond.setAttribute("text-anchor", at > right - 8 ? "end" : "start");
        row.beyond.textContent = !off ? "" : at > right - 8 ? `${number(view.shown[i], view.way.digits)} \u203a` : `\u2039 ${number(view.shown[i], view.way.digits)}`;
        row.group.lastChild.textContent = `${called[i]}: ${number(view.shown[i], view.way.digits)}${known ? ` (${number(view.low[i], view.way.digits)} to ${number(view.high[i], view.way.digits)})` : ""}${off ? ", off the scale" : ""}`;
        row.share.setAttribute("x", width - 2);
        const share = view.first[i];
        row.share.textContent = !Number.isFinite(share) ? "" : share === 0 ? "\u2013" : percent(share);
        Object.assign(row.share.style, { fill: share >= 0.005 ? "var(--ink)" : "var(--muted)", fontSize: "13px", fontWeight: 400 });
      });
      if (fresh) box.replaceChildren(svg); // until then what stood there is seen
      const away = beyond ? ` ${beyond} ${beyond === 1 ? one : many} further left, with a number.` : "";
      $("#more-said").textContent = `${view.more}${away}`;
      if (fresh) reserve(visible);
      tell(view.said);
      const every = visible.map((i) => `${called[i]}: ${number(view.shown[i], view.way.digits)}${view.level.includes(i) ? ", level with the leader" : ""}`);
      told.textContent = control.by || touched() ? `${view.way.heading}, best first. ${every.join("; ")}.` : words;
      box.dataset.order = JSON.stringify(visible.map((i) => live.candidates[i]));
      box.dataset.level = JSON.stringify(visible.filter((i) => view.level.includes(i)).map((i) => live.candidates[i]));
      paint();
    }
    const status = $("#tally");
    const tell = (text) => { status.textContent = text; };
    // What is said of a choice stands above the picture, and never moves it.
    function reserve(visible) {
      status.style.minHeight = "";
      const winners = visible.slice(0, MOST_SAID).map((i) => `${called[i]} 100`).join(", ");
      const longest = [...live.ways.map((way) => way.said), `${called[visible[0]]} wins race 100. 100 races on redrawn ${units}: ${winners}.`];
      status.style.minHeight = `${Math.max(...longest.map((said) => { tell(said); return Math.ceil(status.getBoundingClientRect().height); }))}px`;
    }
    function markRace() {
      if (view && (seen(view.order).length > most || rows.size > most)) { if (timer) stop(); draw(false); return; }
      paint();
    }
    function paint() { rows.forEach((row, i) => row.group.classList.toggle("chosen", live.candidates[i] === marked)); }

    // -- rerun
    const button = $("#rerun");
    const invites = [...button.childNodes];
    let timer = 0;
    let runs = 0;
    let stream = null;
    let tally = null;
    const WAIT = 420; const AT_ONCE = 100;
    const replays = () => !(view.way.sums && live.drawn);
    const races = () => (replays() ? view.way.again.length : Infinity); // no resample is shown twice

    function again() {
      const { way } = view;
      const values = Array(n).fill(null);
      let winners;
      if (replays()) {
        way.who.forEach((i, k) => { values[i] = way.again[runs][k] ?? null; });
        winners = way.won[runs];
      } else {
        const own = family();
        const found = [...merits(drawWeights(stream, control.units).map((w, u) => w * own[u]), way)];
        found.forEach((merit, i) => { values[i] = shown(way, merit); });
        winners = winnersOf(found);
      }
      runs += 1;
      winners.forEach((i) => tally.set(i, (tally.get(i) || 0) + 1));
      return { values, winners };
    }
    function soFar() {
      const best = [...tally].sort((a, b) => b[1] - a[1]);
      const most = best.slice(0, MOST_SAID).map(([i, times_]) => `${called[i]} ${times_}`);
      const left = best.slice(MOST_SAID);
      if (left.length) most.push(`${left.length} ${left.length === 1 ? "other" : "others"} ${left.reduce((sum, [, times_]) => sum + times_, 0)}`);
      return `${runs.toLocaleString("en")} ${runs === 1 ? "race" : "races"} on redrawn ${units}: ${most.join(", ")}.`;
    }
    function counts() {
      rows.forEach((row, i) => { row.share.textContent = tally.get(i) ? `${tally.get(i)}\u00d7` : "\u2013"; });
    }
    function tick() {
      const { values, winners } = again();
      rows.forEach((row, i) => {
        if (values[i] !== null) row.dot.style.transform = `translateX(${x(values[i])}px)`;
        row.dot.style.stroke = winners.includes(i) ? "var(--ink)" : "none";
        row.dot.style.strokeWidth = "2px";
      });
      counts();
      const share = winners.length > 1 ? `${winners.length} share` : `${called[winners[0]]} wins`;
      tell(`${share} race ${runs}. ${soFar()}`);
      if (runs >= races()) stop();
    }
    function stop() {
      clearInterval(timer);
      timer = 0;
      button.replaceChildren(...invites);
    }
    function start() {
      draw();
      [runs, tally, stream] = [0, new Map(), numbers(Math.floor(Math.random() * 2 ** 32))];
      if (calm.matches) {
        while (runs < Math.min(AT_ONCE, races())) again();
        counts();
        tell(soFar());
        say(soFar());
        return;
      }
      svg.classList.remove("still");
      button.textContent = "\u25a0 Stop";
      tick();
      timer = setInterval(tick, WAIT);
    }
    button.addEventListener("click", () => {
      if (!timer) { start(); return; }
      stop();
      say(soFar());
    });

    // -- the controls
    const [by, slider, fewer, weigh, reset] = [$("#by"), $("#units"), $("#fewer"), $("#weigh"), $("#reset")];
    by.append(...live.ways.map((way, k) => element("option", { value: String(k), textContent: way.called })));
    slider.min = String(Math.min(live.units, Math.max(2, Math.ceil(live.units / 20))));
    slider.max = String(live.units);
    $("#fewer-what").textContent = units.charAt(0).toUpperCase() + units.slice(1);
    const sliders = control.weights.map((_, k) => {
      const input = element("input", { type: "range", min: "0", max: "3", step: "0.1", value: "1" });
      const output = element("output", { textContent: "\u00d71" });
      input.addEventListener("input", () => { control.weights[k] = Number(input.value); change(); });
      $("#weights").append(element("label", {}, name(live.weighed.names[k]), input, output));
      return { input, output };
    });
    if (live.weighed) $("#weigh summary").textContent = `Weigh ${live.weighed.names.length} ${live.weighed.what}`;

    const slides = (way) => live.drawn && canWeigh(way);
    function settle() {
      const way = live.ways[control.by];
      if (!canWeigh(way)) { control.units = live.units; control.weights.fill(1); } // what cannot be said of it is not said
      by.value = String(control.by);
      slider.value = String(control.units);
      $("#units-said").textContent = String(control.units);
      sliders.forEach(({ input, output }, k) => { input.value = String(control.weights[k]); output.textContent = `\u00d7${control.weights[k]}`; });
      const can = (what, where) => { what.hidden = !live.ways.some(where); what.classList.toggle("away", !where(way)); };
      can(button, (each) => each.resamples > 0);
      can(fewer, slides);
      can(weigh, (each) => Boolean(live.weighed) && canWeigh(each));
      reset.hidden = !touched() && control.by === 0;
    }
    function change() {
      stop();
      settle();
      draw();
      const weights = control.weights.map((weight, k) => (weight === 1 ? "" : `${k}:${weight}`)).filter(Boolean).join(",");
      remember({ by: control.by ? live.ways[control.by].name : "", use: control.units < live.units ? control.units : "", weigh: weights });
      say(view.said);
    }
    by.addEventListener("change", () => { control.by = Number(by.value); change(); });
    slider.addEventListener("input", () => { control.units = Number(slider.value); change(); });
    reset.addEventListener("click", () => { Object.assign(control, { by: 0, units: live.units }); control.weights.fill(1); change(); by.focus(); });

    function unknown(wanted) {
      const way = live.ways.find((each) => each.name === (wanted.by || live.ways[0].name));
      const weighs = (part) => { const [k, weight] = part.split(":").map(Number); return part.includes(":") && k in control.weights && weight >= 0; };
      const fits = {
        by: Boolean(way),
        use: Boolean(way) && slides(way) && Number(wanted.use) >= Number(slider.min) && Number(wanted.use) <= live.units,
        weigh: Boolean(way) && canWeigh(way) && (wanted.weigh || "").split(",").every(weighs),
      };
      return Object.keys(fits).filter((key) => wanted[key] && !fits[key]);
    }

    function recallRace(wanted) {
      const found = live.ways.findIndex((way) => way.name === wanted.by);
      control.by = Math.max(0, found);
      control.units = Math.round(Number(wanted.use)) || live.units;
      control.weights.fill(1);
      if (wanted.weigh) wanted.weigh.split(",").forEach((part) => { const [k, weight] = part.split(":").map(Number); control.weights[k] = weight; });
      settle();
      draw(false);
    }
    $("#race").addEventListener("submit", (event) => event.preventDefault());
    settle();
    draw(false);
    $("#race").hidden = false;
    const pure = { live, merits: (weights, k = 0) => [...merits(weights, live.ways[k])], level, drawWeights: (seed, number_) => [...drawWeights(numbers(seed), number_)] };
    return { draw, recall: recallRace, unknown, mark: markRace, has: (who) => live.candidates.includes(who), pure };
  }

  // ---- the contents mark what is being read, and open what is folded
  const links = new Map(all(".contents a").map((link) => [link.hash.slice(1), link]));
  const reading = new IntersectionObserver((entries) => {
    const seen = entries.find((entry) => entry.isIntersecting);
    if (!seen) return;
    links.forEach((link) => link.removeAttribute("aria-current"));
    const link = links.get(seen.target.id);
    if (link) link.setAttribute("aria-current", "true");
  }, { rootMargin: "-15% 0px -75% 0px" });
  all("main section").forEach((section) => reading.observe(section));

  function unfold() {
    const target = document.getElementById(location.hash.slice(1));
    const part = target && target.closest("details.part");
    if (part && !part.open) { part.open = true; target.scrollIntoView(); }
  }

  // What an address asks for and the page does not have is said, and not passed on.
  const ASKED = { who: "somebody called", by: "a way of counting called", pair: "the pair", use: "as few as", weigh: "the weights" };
  function arrive() {
    unfold();
    const wanted = recall();
    const unknown = Object.entries(wanted).filter(([key]) => !(key in ASKED)).map(([key, value]) => `${key}=${read(value)}`);
    const refuse = (key) => { if (wanted[key]) unknown.push(`${ASKED[key]} ${read(wanted[key])}`); delete wanted[key]; };
    Object.keys(wanted).forEach((key) => { if (!(key in ASKED)) delete wanted[key]; });
    if (!location.hash.includes("=") && location.hash.length > 1 && !document.getElementById(read(location.hash.slice(1)))) unknown.push(`the part ${read(location.hash.slice(1))}`);
    if (wanted.who && !(ranked && ranked.turnTo(read(wanted.who)))) refuse("who");
    if (!race) ["by", "use", "weigh"].forEach(refuse);
    else race.unknown(wanted).forEach(refuse);
    if (wanted.pair && !(pairs && pairOf(wanted.pair))) refuse("pair");
    Object.keys(state).forEach((key) => delete state[key]);
    Object.assign(state, wanted);
    if (wanted.who && read(wanted.who) !== marked) { marked = ""; choose(read(wanted.who)); }
    if (race) race.recall(wanted);
    if (wanted.pair) { pairOf(wanted.pair); remember({ pair: wanted.pair }); show(); $("#duel").scrollIntoView({ block: "start" }); }
    $("#unknown").hidden = !unknown.length;
    $("#unknown").textContent = unknown.length ? `The address asks for what this page does not have: ${unknown.join("; ")}.` : "";
  }
  window.addEventListener("hashchange", arrive);

  async function begin() {
    if (ranked) await ranking();
    if (data.pairs && first) {
      pairs = JSON.parse(await unpacked(data.pairs));
      [first, second].forEach((each) => each.addEventListener("change", pick));
      $("#duel").hidden = false;
      show();
    }
    if (data.live && $("#race")) { race = raceOf(JSON.parse(await unpacked(data.live))); window.deadheat = race.pure; }
    arrive();
    root.dataset.begun = "yes";
  }
  begin();
})();
