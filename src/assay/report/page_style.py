"""The style sheet of the pages that reports are: light and dark, phone to desk, and on paper.

Everything stands below ``.assay-page``, so a page can be part of another one: of a notebook,
or of the server's pages, which forbid styles inside a page and load this as a file.
"""

from __future__ import annotations

PALETTE = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#f0e442")
"""Okabe and Ito's colours; a type keeps its colour all over the page."""

COLOURS = {
    "light": {
        "ink": "#1b1f23", "quiet": "#57606a", "ground": "#fcfcfb", "raised": "#f3f4f3",
        "line": "#d5d9dd", "accent": "#0f6b66", "warn": "#8a5a00", "good": "#0072b2",
        "bad": "#b84a00",
    },
    "dark": {
        "ink": "#e6e8ea", "quiet": "#9aa4ae", "ground": "#14171a", "raised": "#1c2024",
        "line": "#343a40", "accent": "#5cc4bb", "warn": "#e0a83a", "good": "#56a8e0",
        "bad": "#f0883e",
    },
}  # fmt: skip
"""The colours of the labs (``web/static/assay.css``), by what they are for."""

TINTS = {"light": "16%", "dark": "26%"}
WIDEST = 96
"""The widest of the classes w8, w9, …: that a picture is so many rem wide."""


def _properties(theme: str) -> str:
    pairs = [f"--{name}:{value}" for name, value in COLOURS[theme].items()]
    return ";".join([*pairs, f"--tint:{TINTS[theme]}", f"color-scheme:{theme}"])


LIGHT, DARK = _properties("light"), _properties("dark")

# A notebook that has a theme of its own says so; else the reader's system does.
THEMES = f"""
.assay-page{{{LIGHT}}}
@media(prefers-color-scheme:dark){{.assay-page{{{DARK}}}}}
[data-jp-theme-light=true] .assay-page,.vscode-light .assay-page{{{LIGHT}}}
[data-jp-theme-light=false] .assay-page,.vscode-dark .assay-page{{{DARK}}}
@media print{{.assay-page{{{LIGHT};--ground:#fff}}}}
"""
BASE = """
.assay-page{color:var(--ink);background:var(--ground);
font:1rem/1.6 system-ui,"Noto Sans","Noto Sans CJK SC","Noto Sans SC",sans-serif;
overflow-wrap:break-word}
.assay-page *{box-sizing:border-box}
body.assay-page{margin:0;padding:16px 24px 48px}
.assay-page main{max-width:72rem;margin:0 auto}
.assay-page h1{font-size:clamp(1.44rem,1.1rem + 1.4vw,2.074rem);line-height:1.25;font-weight:650;
margin:.4em 0 16px;max-width:46rem;text-wrap:balance}
.assay-page h2{font-size:1.2rem;line-height:1.35;margin:0 0 8px;font-weight:650;max-width:42rem}
.assay-page h3{font-size:1rem;margin:24px 0 8px;font-weight:650;max-width:42rem}
.assay-page p,.assay-page li{margin:8px 0;max-width:42rem}
.assay-page a{color:var(--accent);text-underline-offset:.2em}
.assay-page small,.assay-page .quiet,.assay-page figcaption,.assay-page caption{
color:var(--quiet);font-size:.875rem}
.assay-page caption{text-align:left;caption-side:top;padding-bottom:8px}
.assay-page .brand{color:var(--accent);font-weight:600;margin:0}
.assay-page .lead{font-weight:600}
.assay-page section{border-top:1px solid var(--line);margin-top:32px;padding-top:24px}
.assay-page section section{margin-top:24px;padding-top:16px}
.assay-page figure{margin:16px 0 0;max-width:46rem}.assay-page figcaption{margin-top:8px;
max-width:42rem}
.assay-page figure.free{max-width:none}
.assay-page dl.figures{display:flex;flex-wrap:wrap;gap:16px 40px;margin:24px 0}
.assay-page dl.figures dt{color:var(--quiet);font-size:.875rem}
.assay-page dl.figures dd{margin:0;font-size:1.44rem;line-height:1.3;
font-variant-numeric:tabular-nums}
.assay-page dl.figures .big dd{font-size:clamp(2.2rem,1.6rem + 2.6vw,3.2rem);font-weight:300;
line-height:1.15}
.assay-page dl.figures small{display:block;font-size:.8rem;line-height:1.5;font-weight:400;
max-width:18rem}
.assay-page .beside{display:grid;gap:0 48px;
grid-template-columns:repeat(auto-fill,minmax(min(100%,20rem),1fr))}
.assay-page .beside>*{min-width:0}
.assay-page .wide{overflow-x:auto;margin:8px 0;max-width:100%}
.assay-page table{border-collapse:collapse;font-size:.9rem;font-variant-numeric:tabular-nums}
.assay-page th,.assay-page td{padding:4px 10px;text-align:right;
border-bottom:1px solid var(--line);white-space:nowrap;font-weight:400;vertical-align:top}
.assay-page th:first-child,.assay-page td:first-child{text-align:left;padding-left:0}
.assay-page thead th{color:var(--quiet);vertical-align:bottom}
.assay-page tr.strong>*{font-weight:600}
.assay-page th small{display:block;white-space:normal;font-weight:400;max-width:22rem}
.assay-page td.text,.assay-page th.text{text-align:left;white-space:normal;min-width:12rem}
.assay-page td.label,.assay-page th.label{text-align:left}
.assay-page td.odd{font-weight:600;box-shadow:inset 0 -2px var(--bad)}
.assay-page details{margin:8px 0}.assay-page summary{cursor:pointer;color:var(--accent);
font-size:.875rem}
.assay-page dl.how{margin:8px 0 16px;font-size:.875rem}
.assay-page dl.how dt{color:var(--quiet);margin-top:8px}.assay-page dl.how dd{margin:0;
max-width:42rem}
.assay-page :focus-visible{outline:2px solid var(--accent);outline-offset:2px}
.assay-page .warn{border-left:3px solid var(--warn);padding:4px 0 4px 12px}
.assay-page .warn b{color:var(--warn)}
.assay-page .reason{border-left:3px solid var(--line);padding:4px 0 4px 12px}
.assay-page pre{overflow-x:auto;background:var(--raised);padding:12px;border-radius:4px;
font:.8rem/1.5 ui-monospace,"Noto Sans Mono",monospace;max-width:100%;margin:8px 0}
.assay-page pre.wrap{white-space:pre-wrap;max-width:46rem}
.assay-page svg{display:block;width:100%;overflow:visible}
.assay-page svg[viewBox]{height:auto}
.assay-page svg text{font-family:system-ui,"Noto Sans","Noto Sans CJK SC",sans-serif;
font-size:13px;line-height:1;fill:var(--ink);font-variant-numeric:tabular-nums}
.assay-page svg text.tiny{font-size:10px}
.assay-page svg .dim{fill:var(--quiet)}.assay-page svg .lead{font-weight:600}
.assay-page svg .axis{stroke:var(--line)}
.assay-page svg .end{stroke:var(--quiet)}
.assay-page svg .whisker{stroke:var(--accent);stroke-width:2}
.assay-page svg .dot{fill:var(--accent)}
.assay-page svg .bar{fill:var(--accent)}
.assay-page svg .fp{fill:var(--bad)}
.assay-page svg .fn{fill:var(--ground);stroke:var(--good);stroke-width:2}
.assay-page svg .cell{fill:var(--bad);stroke:none}
.assay-page svg .same{fill:var(--good);stroke:var(--ink)}
.assay-page svg .tie{fill:var(--good);stroke:none}
.assay-page svg .under{fill:var(--bad);stroke:var(--bad);stroke-dasharray:3 2}
.assay-page svg .part{fill:var(--accent);stroke:none}
"""

NARROW = """
@media(max-width:30rem){body.assay-page{padding:8px 16px 32px}
.assay-page th,.assay-page td{padding:4px 6px}
.assay-page dl.figures{gap:12px 28px}}
@media print{body.assay-page{padding:0}
.assay-page{font-size:10.5pt}
.assay-page figure,.assay-page tr,.assay-page .sentence{break-inside:avoid}
.assay-page h2,.assay-page h3{break-after:avoid}
.assay-page .wide{overflow:visible}.assay-page .screen{display:none}
.assay-page svg[viewBox]{max-width:100%}}
"""

WIDTHS = "".join(f".assay-page svg.w{n}{{width:{n}rem}}" for n in range(4, WIDEST + 1)) + (
    "\n.assay-page svg.whole{width:100%;min-width:46rem;max-width:80rem}\n"
)

PLAIN = THEMES + BASE + WIDTHS + NARROW
"""What every page needs."""
