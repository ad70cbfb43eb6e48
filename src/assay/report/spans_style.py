"""The style sheet of the page on spans: light and dark, from a phone to a desk, and on paper."""

from __future__ import annotations

PALETTE = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#f0e442")
"""Okabe and Ito's colours; a type keeps its colour all over the page."""

LIGHT = """--ink:#1b1f23;--quiet:#57606a;--ground:#fcfcfb;--line:#d5d9dd;--accent:#0f6b66;
--warn:#8a5a00;--good:#0072b2;--bad:#c65200;--tint:16%;color-scheme:light"""
DARK = """--ink:#e6e8ea;--quiet:#9aa4ae;--ground:#14171a;--line:#343a40;--accent:#5cc4bb;
--warn:#e0a83a;--good:#56a8e0;--bad:#f0883e;--tint:26%;color-scheme:dark"""

# A notebook that has a theme of its own says so; else the reader's system does.
STYLE = f"""
.assay-spans{{{LIGHT}}}
@media(prefers-color-scheme:dark){{.assay-spans{{{DARK}}}}}
[data-jp-theme-light=true] .assay-spans,.vscode-light .assay-spans{{{LIGHT}}}
[data-jp-theme-light=false] .assay-spans,.vscode-dark .assay-spans{{{DARK}}}
"""
STYLE += """
.assay-spans{color:var(--ink);background:var(--ground);
font:16px/1.6 system-ui,"Noto Sans",sans-serif;padding:16px;overflow-wrap:break-word}
body.assay-spans{margin:0}
.assay-spans main{max-width:44rem;margin:0 auto}
.assay-spans h1{font-size:1.44rem;line-height:1.35;margin:.4em 0}
.assay-spans h2{font-size:1.2rem;line-height:1.35;margin:0 0 8px}
.assay-spans h3{font-size:1rem;margin:24px 0 8px}
.assay-spans p{margin:8px 0}
.assay-spans .quiet,.assay-spans figcaption{color:var(--quiet);font-size:.875rem}
.assay-spans .brand{color:var(--accent);font-weight:600;margin:0}
.assay-spans section{border-top:1px solid var(--line);margin-top:32px;padding-top:24px}
.assay-spans figure{margin:16px 0 0}.assay-spans figcaption{margin-top:8px}
.assay-spans dl.figures{display:grid;grid-template-columns:repeat(auto-fit,minmax(9rem,1fr));
gap:16px;margin:24px 0}
.assay-spans dl.figures dt{color:var(--quiet);font-size:.875rem}
.assay-spans dl.figures dd{margin:0;font-size:1.728rem;line-height:1.2;
font-variant-numeric:tabular-nums}
.assay-spans dl.figures small{display:block;font-size:.875rem;line-height:1.5;color:var(--quiet)}
.assay-spans .wide{overflow-x:auto;margin:8px 0}
.assay-spans table{border-collapse:collapse;font-size:.9rem;font-variant-numeric:tabular-nums}
.assay-spans th,.assay-spans td{padding:4px 10px;text-align:right;
border-bottom:1px solid var(--line);
white-space:nowrap;font-weight:400;vertical-align:top}
.assay-spans th:first-child,.assay-spans td:first-child{text-align:left;padding-left:0}
.assay-spans thead th{color:var(--quiet)}.assay-spans tr.strong>*{font-weight:600}
.assay-spans th small{display:block;color:var(--quiet);white-space:normal;font-weight:400}
.assay-spans td.text{text-align:left;white-space:normal;min-width:12rem}
.assay-spans details{margin:8px 0}.assay-spans summary{cursor:pointer;color:var(--accent);
font-size:.875rem}
.assay-spans :focus-visible{outline:2px solid var(--accent);outline-offset:2px}
.assay-spans .warn b{color:var(--warn)}
.assay-spans pre{overflow-x:auto;font-size:.8rem;line-height:1.4}
.assay-spans svg{display:block;width:100%;overflow:visible}
.assay-spans svg text{font:13px system-ui,"Noto Sans",sans-serif;fill:var(--ink);
font-variant-numeric:tabular-nums}
.assay-spans svg .dim{fill:var(--quiet)}.assay-spans svg .lead{font-weight:600}
.assay-spans svg .axis{stroke:var(--line)}
.assay-spans svg .end{stroke:var(--quiet)}
.assay-spans svg .whisker{stroke:var(--accent);stroke-width:2}
.assay-spans svg .dot{fill:var(--accent)}
.assay-spans svg .fp{fill:var(--bad)}
.assay-spans svg .fn{fill:var(--ground);stroke:var(--good);stroke-width:2}
.assay-spans svg .cell{fill:var(--bad);stroke:var(--ground)}
.assay-spans svg .same{fill:var(--good);stroke:var(--ink)}
.assay-spans ul.forms{list-style:none;padding:0;margin:0}
.assay-spans ul.forms li{padding:8px 0;border-bottom:1px solid var(--line)}
.assay-spans ul.forms p{margin:2px 0}
.assay-spans .mark{color:var(--accent);font-weight:700}
.assay-spans .n{font-weight:600;font-variant-numeric:tabular-nums}
.assay-spans .legend{display:flex;flex-wrap:wrap;gap:8px 20px;font-size:.875rem}
.assay-spans .legend i{display:inline-block;width:2.2em;height:0;margin-right:.5em;
vertical-align:middle;border-top:3px solid var(--quiet)}
.assay-spans .legend .dashed{border-top-style:dashed}
.assay-spans .legend .dotted{border-top-style:dotted}
.assay-spans .sentence{padding:16px 0;border-bottom:1px solid var(--line)}
.assay-spans .text{line-height:1.3;margin:8px 0}
.assay-spans .text .u{display:inline-flex;flex-direction:column;vertical-align:top;
margin:2px 0;max-width:100%}
.assay-spans .text .w{padding:0 .18em;white-space:pre-wrap}
.assay-spans .text .m{height:1.15rem;font-size:.7rem;line-height:1.1rem;white-space:nowrap;
padding:0 .25em;box-sizing:border-box;font-weight:600}
.assay-spans .text .on{--edge:color-mix(in srgb,var(--c) 72%,var(--ink));
background:color-mix(in srgb,var(--c) var(--tint),transparent)}
.assay-spans .text .gold.on{border-top:3px solid var(--edge)}
.assay-spans .text .pred.on{border-bottom:3px solid var(--edge)}
.assay-spans .text .first{border-left:2px solid var(--edge)}
.assay-spans .text .last{border-right:2px solid var(--edge)}
.assay-spans .text .dashed{border-style:dashed!important}
.assay-spans .text .dotted{border-style:dotted!important}
.assay-spans .text .first:not(.last){border-right:0}
.assay-spans .text .last:not(.first){border-left:0}
.assay-spans .text .on:not(.first):not(.last){border-left:0;border-right:0}
.assay-spans .text .gold.on{border-bottom:0}.assay-spans .text .pred.on{border-top:0}
@media(max-width:30rem){.assay-spans th,.assay-spans td{padding:4px 6px}
.assay-spans dl.figures{grid-template-columns:1fr 1fr}}
@media print{.assay-spans{--ground:#fff}.assay-spans section{break-inside:avoid-page}}
"""
