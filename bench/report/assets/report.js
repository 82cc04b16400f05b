"use strict";
// The gallery of cases: filters, search, links. Texts of models become text nodes, never markup.
(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const PAGE = 20;  // cases added at once
  const SHORT = 400;  // characters of a reply that is shown unfolded
  const invisible = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\ufff9-\ufffb]/g;
  const byId = (id) => document.getElementById(id);
  const list = byId("cases"), form = byId("filters"), found = byId("found"), more = byId("more");
  const sentinel = new IntersectionObserver((entries) => {
    if (entries.some((entry) => entry.isIntersecting) && drawn < matching.length) drawMore();
  }, { rootMargin: "800px" });
  let matching = [], drawn = 0;

  function make(tag, className, ...children) {
    const node = document.createElement(tag);
    if (className) node.className = className;
    node.append(...children.filter((child) => child !== null && child !== undefined));
    return node;
  }

  // Characters that are not seen, such as overrides of the writing direction, are spelt out.
  function spelt(text) {
    const parts = document.createDocumentFragment();
    let at = 0;
    for (const match of text.matchAll(invisible)) {
      parts.append(text.slice(at, match.index));
      const code = match[0].charCodeAt(0).toString(16).toUpperCase().padStart(4, "0");
      parts.append(make("span", "invisible", `⟨U+${code}⟩`));
      at = match.index + 1;
    }
    parts.append(text.slice(at));
    return parts;
  }

  const isolated = (text) => make("bdi", "", spelt(String(text)));

  function number(value) {
    if (value === null || value === undefined) return "–";
    if (typeof value === "string") return value;
    return String(Number(value.toPrecision(6)));
  }

  function inTolerances(value) {
    if (value === null) return "";
    if (value === "inf") return "none allowed";
    return value >= 1000 ? "> 1000 tol." : `${Number(value.toPrecision(2))} tol.`;
  }

  function tolerance(absolute, relative) {
    const parts = [];
    if (absolute) parts.push(number(absolute));
    if (relative) parts.push(`${number(100 * relative)} %`);
    return parts.length ? `± ${parts.join(" or ")}` : "exact";
  }

  // ---- filters, kept in the address after "#gallery?"

  const FILTERS = [
    ["suite", "Suite", (one) => [one.suite]],
    ["family", "Family", (one) => [one.family]],
    ["difficulty", "Difficulty", (one) => [one.difficulty]],
    ["task", "Task", (one) => (one.task === null ? [] : [one.task])],
    ["model", "Model", (one) => one.replies.map((reply) => data.models[reply.model])],
    ["outcome", "Outcome", (one) => one.replies.map((reply) => reply.outcome)],
  ];
  const ORDERS = { id: "item", worst: "largest error first", slow: "slowest first" };
  const fields = {};

  function labelled(text, field, wide) {
    return make("label", wide ? "wide" : "", text, field);
  }

  function option(value, text) {
    const node = make("option", "", text);
    node.value = value;
    return node;
  }

  function buildFilters() {
    const search = make("input");
    search.type = "search";
    search.placeholder = "id, field, words of a reply";
    fields.q = search;
    form.append(labelled("Search", search, true));
    for (const [name, heading, values] of FILTERS) {
      const seen = [...new Set(data.cases.flatMap(values))];
      if (name === "outcome") seen.sort((a, b) => Object.keys(data.outcomes).indexOf(a) - Object.keys(data.outcomes).indexOf(b));
      const select = make("select", "", option("", "all"));
      for (const value of seen) select.append(option(value, name === "outcome" ? data.outcomes[value] : value));
      if (name === "outcome") {
        if (data.cases.some((one) => !one.replies.every((reply) => reply.outcome === "passed"))) select.append(option("not-passed", "not passed"));
        if (data.cases.some((one) => one.replies.length > 1)) select.append(option("mixed", "passed by some only"));
      }
      fields[name] = select;
      if (seen.length > 1) form.append(labelled(heading, select));
    }
    const order = make("select", "", ...Object.entries(ORDERS).map(([value, text]) => option(value, text)));
    fields.sort = order;
    form.append(labelled("Order", order));
    const clear = make("button", "", "Clear");
    clear.type = "button";
    clear.addEventListener("click", () => { location.hash = "#gallery?"; });
    form.append(clear);
    for (const [name, field] of Object.entries(fields)) field.name = name;
    form.addEventListener("input", () => {
      history.replaceState(null, "", address(readForm()));
      show(readForm(), false);
    });
    form.addEventListener("submit", (event) => event.preventDefault());
  }

  function readForm() {
    const state = {};
    for (const [name, field] of Object.entries(fields)) if (field.value && !(name === "sort" && field.value === "id")) state[name] = field.value;
    return state;
  }

  function address(state) {
    const query = Object.entries(state).map(([name, value]) => `${name}=${encodeURIComponent(value)}`);
    return `#gallery?${query.join("&")}`;
  }

  function readAddress() {
    if (!location.hash.startsWith("#gallery?")) return null;
    return Object.fromEntries(new URLSearchParams(location.hash.slice("#gallery?".length)));
  }

  const searched = new Map();
  function words(one) {
    if (!searched.has(one)) {
      const parts = [one.id, one.family, one.difficulty];
      for (const reply of one.replies) parts.push(reply.text, reply.error || "", reply.rule || "", ...reply.fields.flatMap((row) => [row[0], row[8]]));
      searched.set(one, parts.join("\n").toLowerCase());
    }
    return searched.get(one);
  }

  function replyFits(reply, one, state) {
    if (state.model && data.models[reply.model] !== state.model) return false;
    if (!state.outcome || state.outcome === "mixed") return true;
    return state.outcome === "not-passed" ? reply.outcome !== "passed" : reply.outcome === state.outcome;
  }

  function fits(one, state) {
    if (state.case) return one.id === state.case && (!state.suite || one.suite === state.suite);
    for (const name of ["suite", "family", "difficulty", "task"]) if (state[name] && one[name] !== state[name]) return false;
    if (!one.replies.some((reply) => replyFits(reply, one, state))) return false;
    if (state.outcome === "mixed") {
      const passed = one.replies.filter((reply) => reply.outcome === "passed").length;
      if (passed === 0 || passed === one.replies.length) return false;
    }
    return !state.q || state.q.toLowerCase().split(/\s+/).filter(Boolean).every((word) => words(one).includes(word));
  }

  function worst(one) {
    const sizes = one.replies.flatMap((reply) => reply.fields.map((row) => (row[9] === null ? -1 : row[9] === "inf" ? Infinity : row[9])));
    return Math.max(-1, ...sizes);
  }

  const slowest = (one) => Math.max(-1, ...one.replies.map((reply) => reply.seconds ?? -1));

  function ordered(cases, order) {
    const rank = { worst, slow: slowest }[order];
    if (!rank) return cases;
    const ranked = cases.map((one) => [rank(one), one]);
    return ranked.sort((a, b) => (a[0] === b[0] ? 0 : b[0] - a[0])).map((pair) => pair[1]);
  }

  // ---- cases

  function show(state, fillForm) {
    if (fillForm) {
      for (const [name, field] of Object.entries(fields)) field.value = state[name] || (name === "sort" ? "id" : "");
    }
    matching = ordered(data.cases.filter((one) => fits(one, state)), state.sort);
    drawn = 0;
    list.replaceChildren();
    const shown = data.cases.length < data.total ? ` The page holds ${data.cases.length} of ${data.total} cases, those that failed first; the tables hold all.` : "";
    found.textContent = `${matching.length} of ${data.cases.length} cases.${shown}`;
    if (state.case) {
      const all = make("a", "", "Show all");
      all.href = "#gallery?";
      found.append(" ", all);
    }
    drawMore();
  }

  function drawMore() {
    list.append(...matching.slice(drawn, drawn + PAGE).map(caseNode));
    drawn = Math.min(drawn + PAGE, matching.length);
    more.hidden = drawn >= matching.length;
    sentinel.unobserve(more);  // observed anew, it reports again when it is still in sight
    sentinel.observe(more);
  }

  function source(name) {
    if (data.folder) return `${data.folder}/${name}.png`;
    return `data:image/png;base64,${byId(`p-${name}`).textContent}`;
  }

  function picture(name, about) {
    const image = make("img");
    const size = data.sizes_px[name];
    if (size) [image.width, image.height] = size;  // keeps its place free: nothing jumps away when it comes
    image.src = source(name);
    image.alt = about;
    image.loading = "lazy";
    return image;
  }

  function pictureOf(one) {
    const box = make("div", "picture");
    if (one.picture) {
      box.append(picture(one.picture, `the picture of ${one.id}`));
    } else {
      box.append(make("div", "absent", "This run drew no picture. ", make("code", "", "python -m bench.leaderboard.report RUN --draw"), " adds it."));
    }
    box.append(folded("Prompt", data.prompts[one.prompt]));
    return box;
  }

  function caseNode(one) {
    const link = make("a", "", isolated(one.id));
    link.href = address({ case: one.id, suite: one.suite });
    const about = [one.suite, one.family, one.difficulty].filter((part, place, all) => all.findIndex((other) => other.toLowerCase() === part.toLowerCase()) === place);
    const heading = make("h3", "", link, make("small", "", isolated(about.join(" · "))));
    const replies = make("div", "replies");
    if (one.replies.length > 1 && one.replies.some((reply) => reply.fields.length)) replies.append(comparison(one));
    for (const reply of one.replies) replies.append(replyNode(one, reply));
    const node = make("article", "case", heading, pictureOf(one), replies);
    node.dataset.case = one.id;
    return node;
  }

  function replyName(one, reply) {
    const repeats = one.replies.filter((other) => other.model === reply.model).length;
    return data.models[reply.model] + (repeats > 1 ? ` #${(reply.repeat || 0) + 1}` : "");
  }

  function outcomeBadge(reply) {
    return make("span", `outcome ${reply.outcome}`, data.outcomes[reply.outcome] + (reply.failure ? ` (${reply.failure})` : ""));
  }

  // Several replies: fields down, replies across.
  function comparison(one) {
    const head = make("tr", "", make("th", "", "field"), make("th", "number", "truth"), ...one.replies.map((reply) => make("th", "number", isolated(replyName(one, reply)))));
    const verdicts = make("tr", "", make("td", "", ""), make("td", "", ""), ...one.replies.map((reply) => make("td", "number", outcomeBadge(reply))));
    const longest = one.replies.reduce((most, reply) => (reply.fields.length > most.length ? reply.fields : most), []);
    const rows = longest.map((row, place) => make("tr", row[1] ? "" : "checkpoint",
      make("td", "", isolated(row[0])),
      make("td", "number", number(row[3])),
      ...one.replies.map((reply) => {
        const own = reply.fields[place];
        const cell = make("td", `number ${own && own[7] ? "good" : "bad"}`, own ? number(own[2]) : "–");
        if (own) cell.title = own[8];
        return cell;
      })));
    return make("div", "scroll", make("table", "fields", make("thead", "", head), make("tbody", "", verdicts, ...rows)));
  }

  function fieldTable(reply) {
    const headings = ["field", "answered", "truth", "error", "tolerance", ""].map((text, place) => make("th", place > 0 && place < 5 ? "number" : "", text));
    const rows = reply.fields.map(([name, final, answered, truth, error, absolute, relative, passed, why, units]) => make("tr", final ? "" : "checkpoint",
      make("td", "", isolated(name)),
      make("td", `number ${passed ? "good" : "bad"}`, number(answered)),
      make("td", "number", number(truth)),
      make("td", "number", error === null ? "–" : `${number(error)}`, units && units !== "inf" ? ` (${inTolerances(units)})` : ""),
      make("td", "number", tolerance(absolute, relative)),
      make("td", "why", passed ? "" : isolated(why))));
    return make("div", "scroll", make("table", "fields", make("thead", "", make("tr", "", ...headings)), make("tbody", "", ...rows)));
  }

  function facts(reply) {
    const said = [];
    if (reply.seconds !== undefined) said.push(`${Number(reply.seconds.toPrecision(3))} s`);
    if (reply.in !== undefined || reply.out !== undefined) said.push(`${number(reply.in)} tokens in, ${number(reply.out)} out`);
    if (reply.reasoning) said.push(`${reply.reasoning} reasoning`);
    if (reply.usd) said.push(`${Number(reply.usd.toPrecision(3))} USD`);
    if (reply.attempts) said.push(`${reply.attempts} requests`);
    if (reply.served) said.push(`served as ${reply.served}`);
    if (reply.finish) said.push(`ended by ${reply.finish}`);
    if (reply.rule) said.push(`read by: ${reply.rule}`);
    return make("small", "", isolated(said.join(" · ")));
  }

  // Content that is made when it is first unfolded.
  function unfolding(summary, fill, open) {
    const details = make("details", "", summary);
    details.open = Boolean(open);
    if (open) fill(details);
    else details.addEventListener("toggle", () => fill(details), { once: true });
    return details;
  }

  const folded = (heading, text, open) => unfolding(make("summary", "", heading), (node) => node.append(make("pre", "", spelt(text))), open);

  function replyParts(one, reply) {
    const parts = [];
    if (reply.error) parts.push(make("pre", "", spelt(reply.error)));
    if (reply.unscored) parts.push(make("p", "note", "Unscored: ", isolated(reply.unscored)));
    if (reply.fields.length) parts.push(fieldTable(reply));
    const left = reply.cut ? `\n… ${reply.cut} more characters, in the raw file` : "";
    if (reply.text) parts.push(folded("Reply", reply.text + left, reply.text.length < SHORT));
    else if (!reply.error) parts.push(make("p", "note", "The reply is empty."));
    if (reply.judge) parts.push(folded("Judge's reason", reply.judge, true));
    if (reply.drawn) parts.push(make("p", "note", isolated(reply.drawn)));
    if (reply.drawing) parts.push(picture(reply.drawing, `the drawing made for ${one.id}`));
    if (reply.overlay) parts.push(unfolding(make("summary", "", "Truth and answer drawn in"), (node) => node.append(picture(reply.overlay, `${one.id} with truth and answer drawn in`))));
    return parts;
  }

  function replyNode(one, reply) {
    if (one.replies.length > 1) {
      const summary = make("summary", "reply-head", isolated(replyName(one, reply)), outcomeBadge(reply), facts(reply));
      return unfolding(summary, (node) => node.append(...replyParts(one, reply)));
    }
    return make("div", "reply", make("div", "reply-head", outcomeBadge(reply), facts(reply)), ...replyParts(one, reply));
  }

  // ---- start

  function follow() {
    const state = readAddress();
    show(state || {}, true);
    if (state) byId("gallery").scrollIntoView();
  }

  buildFilters();
  window.addEventListener("hashchange", () => { if (readAddress()) follow(); });
  follow();
  document.documentElement.dataset.ready = "yes";
})();
