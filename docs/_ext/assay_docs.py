"""What the documentation needs beyond Sphinx.

Equations as MathML, which browsers draw without a library; the command line's reference, made
from the commands; the changelog with the news that is not yet released; the language of a
paragraph that is not in English.
"""

from __future__ import annotations

import inspect
import tomllib
from pathlib import Path
from typing import Any

import click
from docutils import nodes
from docutils.utils.math.latex2mathml import tex2mathml

ROOT = Path(__file__).resolve().parents[2]


def _mathml(tex: str, *, as_block: bool) -> str:
    return tex2mathml(tex, as_block=as_block)


def visit_math(self: Any, node: nodes.math) -> None:
    self.body.append(_mathml(node.astext(), as_block=False))
    raise nodes.SkipNode


def visit_displaymath(self: Any, node: nodes.math_block) -> None:
    # Focusable, so that a wide formula can be scrolled from the keyboard.
    self.body.append(self.starttag(node, "div", CLASS="math", tabindex="0"))
    self.body.append(_mathml(node.astext(), as_block=True))
    self.body.append("</div>\n")
    raise nodes.SkipNode


def pending_news() -> str:
    """The changelog with the fragments since the last release put in front."""
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["towncrier"]
    changelog = (ROOT / settings["filename"]).read_text("utf-8")
    head, mark, released = changelog.partition(settings["start_string"])
    lines = []
    for kind in settings["type"]:
        pattern = f"*.{kind['directory']}.md"
        fragments = sorted((ROOT / settings["directory"]).glob(pattern))
        if fragments:
            lines += [f"### {kind['name']}", ""]
            lines += ["- " + " ".join(f.read_text("utf-8").split()) for f in fragments]
            lines.append("")
    pending = "## Not yet released\n\n" + "\n".join(lines) if lines else ""
    return f"{head}\n{pending}\n{released}" if mark else changelog


def command_reference() -> str:
    """What every command says of itself, as Markdown."""
    from assay.cli.main import main

    out: list[str] = []
    with click.Context(main, info_name="assay") as root:
        for name in main.list_commands(root):
            command = main.get_command(root, name)
            with click.Context(command, info_name=name, parent=root) as ctx:
                out += _command(command, ctx)
    return "\n".join(out)


def _command(command: Any, ctx: click.Context) -> list[str]:
    usage = " ".join([ctx.command_path, *command.collect_usage_pieces(ctx)])
    paragraphs = inspect.cleandoc(command.help or "").split("\n\n")
    out = [f"## {ctx.command_path}", "", "```text", usage, "```", ""]
    out += ["\n\n".join(paragraphs), ""]
    sections: dict[str, list[tuple[str, str]]] = {}
    for parameter in command.get_params(ctx):
        record = parameter.get_help_record(ctx)
        if record is not None and record[1] and parameter.name != "help":
            sections.setdefault(getattr(parameter, "section", "Options"), []).append(record)
    for heading, records in sections.items():
        out += [f"### {heading}", ""]
        for option, what in records:
            out += [f"`{option}`", f": {what}", ""]
    examples = getattr(command, "examples", ())
    if examples:
        lines = [line for text, what in examples for line in (f"# {what}", text, "")]
        out += [f"### Examples of {ctx.command_path}", "", "```sh", *lines[:-1], "```", ""]
    return out


def coefficient_reference() -> str:
    """Every public function whose home is ``assay.agreement``, in the order of the interface."""
    import assay

    names = [name for name in assay.__all__ if _home(getattr(assay, name))]
    lines = [f".. autofunction:: assay.{name}\n" for name in names]
    return "\n".join(["```{eval-rst}", *lines, "```"])


def _home(value: object) -> bool:
    return callable(value) and getattr(value, "__module__", "").startswith("assay.agreement")


def fill_page(_app: Any, docname: str, source: list[str]) -> None:
    if docname == "changelog":
        source[0] = pending_news()
    elif docname == "cli":
        source[0] = source[0].replace("<!-- every command -->", command_reference())
    elif docname == "api/coefficients":
        source[0] = source[0].replace("<!-- every coefficient -->", coefficient_reference())
    elif docname == "explain":
        from assay.report.explain_text import reference

        source[0] = source[0].replace("<!-- every explanation -->", reference())


LANGUAGES = {"Tiếng Việt": "vi", "中文": "zh"}


def mark_languages(_app: Any, document: Any) -> None:
    """Paragraphs that begin with a language's name get its code: docutils makes it ``lang``."""
    for paragraph in document.findall(nodes.paragraph):
        first = paragraph[0] if len(paragraph) else None
        if isinstance(first, nodes.emphasis) and first.astext() in LANGUAGES:
            paragraph["classes"].append(f"language-{LANGUAGES[first.astext()]}")


def public_name(app: Any, env: Any, node: Any, contnode: Any) -> Any:
    """A reference to where a public name lives, as one to its name in ``assay``."""
    import assay

    name = node.get("reftarget", "").rpartition(".")[2]
    if node.get("refdomain") != "py" or name not in assay.__all__:
        return None
    domain, home = env.domains["py"], f"assay.{name}"
    if home not in domain.objects:
        return None
    return domain.resolve_xref(
        env, node["refdoc"], app.builder, domain.objects[home].objtype, home, node, contnode
    )


def drop_return_type(_app: Any, _domain: str, _kind: str, content: Any) -> None:
    """Leave out the field that repeats the type which "Returns" already names."""
    for field in list(content.findall(nodes.field)):
        if field[0].astext() == "rtype":
            field.parent.remove(field)


def setup(app: Any) -> dict[str, Any]:
    app.add_html_math_renderer(
        "mathml",
        inline_renderers=(visit_math, None),
        block_renderers=(visit_displaymath, None),
    )
    app.connect("source-read", fill_page)
    app.connect("doctree-read", mark_languages)
    app.connect("missing-reference", public_name)
    # After autodoc has put it in, hence late.
    app.connect("object-description-transform", drop_return_type, priority=900)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
