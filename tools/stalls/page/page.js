"use strict";

/* page.js - draw the flame graph and the annotated sources */

const data = JSON.parse(document.getElementById("data").textContent);
const ROW = 18;
const sum = (counts) => counts.reduce((a, b) => a + b, 0);
const percent = (part, whole) => (whole ? (100 * part / whole).toFixed(1) : "0.0") + " %";
const active = data.reasons.findIndex((reason) => reason.name === "active");
const element = (name, text, parent, type) => {
	const made = document.createElement(name);
	made.textContent = text;
	if (type)
		made.className = type;
	parent.append(made);
	return made;
};

/* The most frequent stalls: "scoreboard 39 %, send 20 %" */
function stalls(counts) {
	const total = sum(counts);
	return counts.map((count, k) => [count, k]).filter(([count, k]) => count && k !== active)
		.sort((a, b) => b[0] - a[0]).slice(0, 3)
		.map(([count, k]) => data.reasons[k].name + " " + (100 * count / total).toFixed(0) + " %").join(", ");
}

/* ---- tree of the stacks; the innermost frame is the reason ---- */
function add(node, name, count, reason) {
	let child = node.children.get(name);
	if (!child) {
		child = { name, count: 0, children: new Map(), parent: node, reason };
		node.children.set(name, child);
	}
	child.count += count;
	return child;
}
const root = { name: "all", count: 0, children: new Map(), parent: null };
const totals = data.reasons.map(() => 0);
for (const stack of data.stacks)
	stack.counts.forEach((count, k) => {
		if (!count)
			return;
		totals[k] += count;
		root.count += count;
		let node = root;
		for (const frame of stack.frames)
			node = add(node, frame, count);
		add(node, data.reasons[k].name, count, k);
	});

function color(node) {
	if (node.reason === active)
		return "#9fd3a8";
	if (node.reason !== undefined)
		return ["#c9ced6", "#e98f8f", "#8fb7e9"][data.reasons[node.reason].stage] || "#c9ced6";
	let hash = 7;
	for (const c of node.name)
		hash = (hash * 31 + c.charCodeAt(0)) % 997;
	return "hsl(" + (25 + hash % 30) + " 85% " + (66 + hash % 12) + "%)";
}

const graph = document.getElementById("graph");
const search = document.getElementById("search");
const status = document.getElementById("status");
let zoomed = root;

function box(node, left, width, depth) {
	const made = element("div", node.name, graph);
	made.style.cssText = `left:${100 * left}%;width:${100 * width}%;top:${depth * ROW}px;background:${color(node)}`;
	made.title = `${node.name}: ${node.count} samples, ${percent(node.count, root.count)}`;
	if (search.value && node.name.includes(search.value))
		made.classList.add("found");
	made.onclick = () => { zoomed = node; draw(); };
	made.onmouseover = () => { status.textContent = made.title; };
}

function draw() {
	const above = [];
	let depth = 0, most = 0;
	for (let node = zoomed.parent; node; node = node.parent)
		above.unshift(node);
	graph.textContent = "";
	for (const node of above)
		box(node, 0, 1, depth++);
	const level = (node, left, at) => {
		const width = node.count / zoomed.count;
		if (width < 0.0005)
			return;
		box(node, left, width, at);
		most = Math.max(most, at);
		for (const child of [...node.children.values()].sort((a, b) => b.count - a.count)) {
			level(child, left, at + 1);
			left += child.count / zoomed.count;
		}
	};
	level(zoomed, 0, depth);
	graph.style.height = (most + 1) * ROW + "px";
	if (search.value)
		status.textContent = graph.querySelectorAll(".found").length + " frames found";
}
document.getElementById("reset").onclick = () => { zoomed = root; draw(); };
search.oninput = draw;
draw();

/* ---- totals ---- */
document.title = "EU stalls of " + data.input;
document.getElementById("input").textContent = data.input;
document.getElementById("totals").textContent =
	`${root.count} samples at ${data.addresses} addresses, ${percent(root.count - totals[active], root.count)} stalled`;
document.getElementById("verdict").textContent = data.verdict;
totals.map((count, k) => [count, k]).filter(([count]) => count).sort((a, b) => b[0] - a[0]).forEach(([count, k]) => {
	const row = element("tr", "", document.getElementById("reasons"));
	element("td", percent(count, root.count), row, "number");
	element("td", data.reasons[k].name, row);
	element("td", data.reasons[k].title, row);
});

/* ---- sources: the lines that have samples, and those in the page around them ---- */
for (const source of data.sources) {
	const parent = document.getElementById("sources");
	const table = (element("h3", source.path, parent), element("table", "", parent, "source"));
	const numbers = new Set([...Object.keys(source.text), ...Object.keys(source.lines)].map(Number));
	let previous = 0;
	for (const line of [...numbers].sort((a, b) => a - b)) {
		const counts = source.lines[line];
		const row = element("tr", "", table);
		const total = counts ? sum(counts) : 0;
		const share = element("td", counts ? percent(total, root.count) : "", row, "number share");
		share.style.setProperty("--part", 100 * total / root.count + "%");
		element("td", counts ? percent(total - counts[active], total) + " stalled" : "", row, "number");
		element("td", counts ? stalls(counts) : line > previous + 1 ? "..." : "", row, "reasons");
		element("td", line, row, "number line");
		element("td", source.text[line] || "", row);
		previous = line;
	}
}
