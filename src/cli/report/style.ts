// The style sheet of the report, for phones, wide screens, dark mode and print. Charts take their colours from it.

export const STYLE = `
:root { color-scheme: light dark; --ground: #ffffff; --panel: #f6f7f9; --ink: #1c2330; --quiet: #5a6475; --line: #d9dee6;
  --accent: #2f6db3; --hot: #b3202f; --up: #b3202f; --down: #2f6db3;
  --h0: #9db7d3; --h1: #86a3c8; --h2: #7e8fbd; --h3: #8a7fb0; --h4: #9c6ea1; --h5: #ad5a88; --h6: #b9446a; --h7: #b52f4a; --h8: #9c1228; }
@media (prefers-color-scheme: dark) { :root { --ground: #12161d; --panel: #1b212b; --ink: #e8ebf0; --quiet: #a3adbd; --line: #333c4a;
  --accent: #6aa9ec; --hot: #ff7b7b; --up: #ff7b7b; --down: #6aa9ec;
  --h0: #3d5470; --h1: #4a6488; --h2: #5c739e; --h3: #7a7fb0; --h4: #9d84b4; --h5: #c286ab; --h6: #e08796; --h7: #f58f85; --h8: #ffb199; } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--ground); color: var(--ink); font: 16px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif; }
main { max-width: 1120px; margin: 0 auto; padding: 24px 20px 48px; }
h1 { font-size: 1.6rem; line-height: 1.25; margin: 0 0 4px; overflow-wrap: anywhere; }
h2 { font-size: 1.15rem; margin: 36px 0 10px; }
p { margin: 6px 0; max-width: 75ch; }
.quiet { color: var(--quiet); }
.verdict { font-size: 1.1rem; }
dl { display: grid; grid-template-columns: repeat(auto-fit, minmax(170px, 1fr)); gap: 10px; margin: 18px 0 0; }
dl div { background: var(--panel); border-radius: 8px; padding: 8px 12px; min-width: 0; }
dt { color: var(--quiet); font-size: .82rem; }
dd { margin: 0; font-size: .93rem; font-weight: 600; overflow-wrap: break-word; }
.pictures { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 420px), 1fr)); gap: 18px; }
.cards { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 300px), 1fr)); gap: 16px; }
figure { margin: 0; background: var(--panel); border-radius: 10px; padding: 14px; min-width: 0; break-inside: avoid; }
figcaption { margin-bottom: 8px; overflow-wrap: anywhere; }
.card figcaption { font-size: .92rem; }
.pictures .quiet { font-size: .88rem; }
svg { display: block; width: 100%; height: auto; font-family: inherit; }
.grid { stroke: var(--line); stroke-width: 1; }
.tick, .note { font-size: 11.5px; fill: var(--quiet); }
.label { font-size: 12px; fill: var(--ink); }
.strong { font-weight: 600; fill: var(--ink); font-size: 13px; }
.curve { fill: none; stroke: var(--accent); stroke-width: 2; stroke-linejoin: round; }
.curve.hot { stroke: var(--hot); }
.chance { fill: none; stroke: var(--quiet); stroke-width: 1; stroke-dasharray: 3 4; }
.threshold { stroke: var(--ink); stroke-width: 1.2; stroke-dasharray: 5 4; }
.bar { fill: var(--accent); } .bar.hot { fill: var(--hot); }
.axis { stroke: var(--line); }
.changes { list-style: none; margin: 0; padding: 0; font-size: .9rem; }
.changes li { display: flex; flex-wrap: wrap; justify-content: space-between; gap: 0 12px; margin-top: 8px; overflow-wrap: anywhere; }
.changes svg { height: 8px; margin-top: 2px; }
.feature { font-weight: 600; }
.value { color: var(--quiet); font-variant-numeric: tabular-nums; margin-left: auto; }
.value b { color: var(--ink); font-weight: 600; }
.up { fill: var(--up); } .down { fill: var(--down); }
.point { fill: none; stroke: #10141b; stroke-width: .7; opacity: .55; }
${Array.from({ length: 9 }, (_, i) => `.h${i} { fill: var(--h${i}); }`).join(' ')}
.legend { display: flex; align-items: center; gap: 8px; font-size: .85rem; color: var(--quiet); margin-top: 6px; }
.legend i { flex: 0 1 180px; height: 9px; border-radius: 5px; background: linear-gradient(90deg, var(--h0), var(--h2), var(--h4), var(--h6), var(--h8)); print-color-adjust: exact; -webkit-print-color-adjust: exact; }
.scroll { overflow-x: auto; border: 1px solid var(--line); border-radius: 10px; }
.scroll:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
table { border-collapse: collapse; width: 100%; font-size: .92rem; font-variant-numeric: tabular-nums; }
th, td { padding: 6px 12px; text-align: left; white-space: nowrap; border-top: 1px solid var(--line); }
thead th { background: var(--panel); }
.number { text-align: right; }
.flag, .odd { color: var(--hot); }
td.odd { background: color-mix(in srgb, var(--hot) 9%, transparent); }
.dot { fill: var(--accent); opacity: .75; } .dot.hot { fill: var(--hot); opacity: 1; }
.way { margin: 10px 0 0; }
footer { margin-top: 40px; color: var(--quiet); font-size: .88rem; }
@media (max-width: 480px) { main { padding: 16px 12px 32px; } figure { padding: 10px; } h1 { font-size: 1.3rem; } .tick, .note { font-size: 13px; } .label { font-size: 13.5px; } }
@media print { :root { --ground: #fff; --panel: #fff; --ink: #000; --quiet: #444; --line: #ccc; --accent: #2f6db3; --hot: #b3202f; --up: #b3202f; --down: #2f6db3;
  --h0: #9db7d3; --h1: #86a3c8; --h2: #7e8fbd; --h3: #8a7fb0; --h4: #9c6ea1; --h5: #ad5a88; --h6: #b9446a; --h7: #b52f4a; --h8: #9c1228; }
  main { padding: 0; max-width: none; } figure, dl div { border: 1px solid var(--line); } .scroll { overflow: visible; border: 0; }
  table { font-size: 8.5pt; } th, td { padding: 3px 6px; white-space: normal; } h2 { break-after: avoid; } tr { break-inside: avoid; } .pictures { grid-template-columns: 1fr 1fr; } .cards { grid-template-columns: 1fr 1fr; } }
`;
