"""What the page on spans has beside the common style sheet: marked text."""

from __future__ import annotations

from assay.report.page_style import PALETTE, PLAIN

TYPES = "".join(f".assay-page .text .c{i}{{--c:{colour}}}" for i, colour in enumerate(PALETTE))

MARKED = """
.assay-page ul.forms{list-style:none;padding:0;margin:0}
.assay-page ul.forms li{padding:8px 0;border-bottom:1px solid var(--line)}
.assay-page ul.forms p{margin:2px 0}
.assay-page .mark{color:var(--accent);font-weight:700}
.assay-page .n{font-weight:600;font-variant-numeric:tabular-nums}
.assay-page .legend{display:flex;flex-wrap:wrap;gap:8px 20px;font-size:.875rem}
.assay-page .legend i{display:inline-block;width:2.2em;height:0;margin-right:.5em;
vertical-align:middle;border-top:3px solid var(--quiet)}
.assay-page .legend .dashed{border-top-style:dashed}
.assay-page .legend .dotted{border-top-style:dotted}
.assay-page .sentence{max-width:46rem;padding:16px 0;border-bottom:1px solid var(--line)}
.assay-page .text{line-height:1.3;margin:8px 0}
.assay-page .text .u{display:inline-flex;flex-direction:column;vertical-align:top;
margin:2px 0;max-width:100%}
.assay-page .text .w{padding:0 .18em;white-space:pre-wrap}
.assay-page .text .m{height:1.15rem;font-size:.7rem;line-height:1.1rem;white-space:nowrap;
padding:0 .25em;box-sizing:border-box;font-weight:600}
.assay-page .text .on{--edge:color-mix(in srgb,var(--c) 72%,var(--ink));
background:color-mix(in srgb,var(--c) var(--tint),transparent)}
.assay-page .text .gold.on{border-top:3px solid var(--edge)}
.assay-page .text .pred.on{border-bottom:3px solid var(--edge)}
.assay-page .text .first{border-left:2px solid var(--edge)}
.assay-page .text .last{border-right:2px solid var(--edge)}
.assay-page .text .dashed{border-style:dashed!important}
.assay-page .text .dotted{border-style:dotted!important}
.assay-page .text .first:not(.last){border-right:0}
.assay-page .text .last:not(.first){border-left:0}
.assay-page .text .on:not(.first):not(.last){border-left:0;border-right:0}
.assay-page .text .gold.on{border-bottom:0}.assay-page .text .pred.on{border-top:0}
"""

STYLE = PLAIN + TYPES + MARKED
