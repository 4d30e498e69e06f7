/**
 * The one style sheet of the reports: light, dark and paper. Colours of series are those of Okabe and Ito, darkened or
 * lightened where their contrast with the ground would fall below 3:1 (lines) or 4.5:1 (text).
 */

const LIGHT = `
  color-scheme: light;
  --ground: #ffffff; --panel: #f6f7f8; --ink: #1b1f24; --soft: #59626d; --line: #d5d9de; --grid: #e4e7eb; --band: #e9ecef;
  --series-1: #0072b2; --series-2: #d55e00; --series-3: #00845f; --series-4: #b5578d; --series-5: #a87400; --series-6: #4a4f57;
  --series-text-1: #00649c; --series-text-2: #b04c00; --series-text-3: #00704f; --series-text-4: #9c4778; --series-text-5: #835a00; --series-text-6: #3f444b;
  --heat-1: #bcd7ee; --heat-2: #98c3e2; --heat-3: #6aa9d3; --heat-4: #4390c3; --heat-5: #2474ae; --heat-6: #11568f; --heat-7: #08306b;
  --worse-1: #fdebd9; --worse-2: #fbd3ae; --worse-3: #f6b57c; --worse-4: #ee9550; --better-1: #e2eefa; --better-2: #c2dcf3; --better-3: #98c3e8; --better-4: #6fa9dc;
  --changed-1: #efeaf4; --changed-2: #ddd3e8; --changed-3: #c6b5d8; --changed-4: #ad96c6;
  --focus: #0057d9;`;

const DARK = `
  color-scheme: dark;
  --ground: #14171b; --panel: #1c2026; --ink: #e6e9ed; --soft: #a0a9b4; --line: #363d46; --grid: #2a3037; --band: #272d34;
  --series-1: #56b4e9; --series-2: #f0883e; --series-3: #2fc49a; --series-4: #e08fbd; --series-5: #e6b400; --series-6: #b9c0c9;
  --series-text-1: #7cc4ee; --series-text-2: #f5a066; --series-text-3: #4fd3ad; --series-text-4: #e9a7cb; --series-text-5: #ecc53d; --series-text-6: #c8ced6;
  --heat-1: #234f75; --heat-2: #2a6492; --heat-3: #337baf; --heat-4: #4592c6; --heat-5: #6aaeda; --heat-6: #a0d0ee; --heat-7: #e0f2fd;
  --worse-1: #33241a; --worse-2: #4f3118; --worse-3: #704218; --worse-4: #935418; --better-1: #1a2a3b; --better-2: #1c3a57; --better-3: #1f4d78; --better-4: #23629b;
  --changed-1: #2b2535; --changed-2: #3d3350; --changed-3: #52446e; --changed-4: #68578c;
  --focus: #8ab8ff;`;

/** The text of the style sheet. */
export const STYLE_SHEET = `
:root {${LIGHT}
}
@media screen and (prefers-color-scheme: dark) { :root {${DARK}
} }
* { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; text-size-adjust: 100%; }
body { margin: 0; background: var(--ground); color: var(--ink); font: 16px/1.55 system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "DejaVu Sans", sans-serif; }
main, header, footer { max-width: 928px; margin: 0 auto; padding: 0 24px; }
header { padding-top: 56px; }
footer { margin-top: 56px; padding-bottom: 64px; color: var(--soft); font-size: 13px; }
h1, h2, h3 { line-height: 1.25; font-weight: 600; overflow-wrap: anywhere; }
h1 { font-size: 1.75rem; margin: 0 0 6px; letter-spacing: -0.01em; }
h2 { font-size: 1.25rem; margin: 64px 0 4px; }
h3 { font-size: 1rem; margin: 0 0 2px; }
h3.apart { margin-top: 32px; }
p { margin: 8px 0; max-width: 74ch; overflow-wrap: anywhere; }
a { color: var(--series-text-1); }
a:focus-visible, summary:focus-visible, svg:focus-visible, [tabindex]:focus-visible { outline: 2px solid var(--focus); outline-offset: 3px; border-radius: 2px; }
.skip { position: absolute; left: -9999px; }
.skip:focus { left: 16px; top: 12px; background: var(--ground); padding: 4px 10px; z-index: 1; }
.kind { color: var(--soft); font-size: 13px; margin: 0 0 10px; }
.meta { color: var(--soft); font-size: 14px; }
.contents { font-size: 14px; margin: 20px 0 0; padding: 0; list-style: none; display: flex; flex-wrap: wrap; gap: 2px 20px; }
.verdict { margin: 36px 0 0; padding: 20px 24px; background: var(--panel); border-radius: 6px; display: grid; grid-template-columns: auto 1fr; gap: 0 18px; }
.verdict .symbol { font-size: 1.75rem; line-height: 1.35; min-width: 1.1em; text-align: center; }
.verdict p { margin: 0; font-size: 1.25rem; line-height: 1.45; font-weight: 500; }
.verdict .more { grid-column: 2; font-size: 14px; font-weight: 400; color: var(--soft); margin-top: 8px; line-height: 1.5; }
figure { margin: 28px 0 0; min-width: 0; }
figcaption p { margin: 0 0 10px; }
.reading { color: var(--soft); font-size: 14px; line-height: 1.5; }
.key { font-size: 13px; margin: 0 0 6px; padding: 0; list-style: none; }
ul.key { display: flex; flex-wrap: wrap; gap: 0 18px; }
div + p.key, svg + p.key { margin-top: 20px; }
.key li { overflow-wrap: anywhere; }
svg { display: block; width: 100%; height: auto; overflow: visible; font-variant-numeric: tabular-nums; }
svg text { white-space: pre; }
.narrow { display: none; }
.pair { display: grid; grid-template-columns: 1fr 1fr; gap: 0 28px; }
details { margin: 10px 0 0; font-size: 14px; }
summary { cursor: pointer; color: var(--soft); width: fit-content; }
.scroll { overflow-x: auto; margin: 8px 0 0; }
table { border-collapse: collapse; font-size: 14px; font-variant-numeric: tabular-nums; line-height: 1.4; }
caption { text-align: left; color: var(--soft); padding: 0 0 4px; }
th, td { text-align: right; padding: 4px 0 4px 20px; vertical-align: baseline; border-bottom: 1px solid var(--grid); }
th:first-child, td:first-child { padding-left: 0; }
thead th { color: var(--soft); font-weight: 500; border-bottom-color: var(--line); white-space: nowrap; vertical-align: bottom; }
tbody th { font-weight: 400; }
th.text, td.text { text-align: left; }
.nowrap { white-space: nowrap; }
td.number { white-space: nowrap; }
code { font-family: ui-monospace, "DejaVu Sans Mono", Consolas, monospace; font-size: 13px; white-space: pre-wrap; }
pre { font: 13px/1.5 ui-monospace, "DejaVu Sans Mono", Consolas, monospace; background: var(--panel); padding: 10px 14px; margin: 8px 0; border-radius: 4px; white-space: pre-wrap; overflow-wrap: anywhere; }
.warnings { margin: 8px 0 0; padding: 0; list-style: none; max-width: 74ch; }
.warnings li { padding: 6px 0 6px 26px; position: relative; }
.warnings li::before { content: "\\26A0"; position: absolute; left: 0; color: var(--series-text-2); }
.warnings .cure { color: var(--soft); display: block; font-size: 14px; }
.number-1 { color: var(--series-text-1); } .number-2 { color: var(--series-text-2); } .number-3 { color: var(--series-text-3); }
.number-4 { color: var(--series-text-4); } .number-5 { color: var(--series-text-5); } .number-6 { color: var(--series-text-6); }
@media (max-width: 700px) {
  main, header, footer { padding-left: 16px; padding-right: 16px; }
  header { padding-top: 28px; }
  h1 { font-size: 1.375rem; }
  h2 { margin-top: 48px; }
  .wide { display: none; }
  .narrow { display: block; }
  .pair { display: block; }
  .verdict { padding: 16px; gap: 0 12px; }
  .verdict p { font-size: 1.0625rem; }
  th, td { padding-left: 14px; }
}
@media print {
  body { font-size: 10.5pt; }
  main, header, footer { max-width: none; padding: 0; }
  header { padding-top: 0; }
  h2 { margin-top: 28px; }
  .skip, .contents { display: none; }
  .verdict, pre { background: none; border: 1px solid var(--line); }
  .wide { display: block; } .narrow { display: none; } .pair { display: grid; }
  figure, .verdict, tr { break-inside: avoid; }
  h2, h3, figcaption { break-after: avoid; }
  summary { display: none; }
  details::details-content { content-visibility: visible; display: block; height: auto; }
  .scroll { overflow: visible; }
  @page { margin: 16mm 14mm; }
}
`;
