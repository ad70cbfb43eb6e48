"""A few tags of HTML, where a design lets its items have them."""

from __future__ import annotations

from html.parser import HTMLParser

from markupsafe import Markup, escape

INLINE = ("b", "br", "code", "em", "i", "s", "small", "strong", "sub", "sup", "u")
BLOCKS = ("blockquote", "h4", "h5", "h6", "hr", "li", "ol", "p", "pre", "ul")
TABLES = ("table", "tbody", "td", "th", "thead", "tr")
TAGS = frozenset((*INLINE, *BLOCKS, *TABLES))
ALONE = frozenset(("br", "hr"))


class _Safe(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.out: list[str] = []
        self.open: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:  # noqa: ARG002
        if tag not in TAGS:
            self.out.append(str(escape(self.get_starttag_text() or "")))
            return
        self.out.append(f"<{tag}>")
        if tag not in ALONE:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)

    def handle_endtag(self, tag: str) -> None:
        if tag in self.open:
            while self.open:
                last = self.open.pop()
                self.out.append(f"</{last}>")
                if last == tag:
                    break
        elif tag not in TAGS:
            self.out.append(str(escape(f"</{tag}>")))

    def handle_data(self, data: str) -> None:
        self.out.append(str(escape(data)))

    def handle_comment(self, data: str) -> None:
        self.out.append(str(escape(f"<!--{data}-->")))

    def handle_decl(self, decl: str) -> None:
        self.out.append(str(escape(f"<!{decl}>")))

    def unknown_decl(self, data: str) -> None:
        self.handle_decl(data)

    def handle_pi(self, data: str) -> None:
        self.out.append(str(escape(f"<?{data}>")))


def safe(text: str) -> Markup:
    """The text with the tags that are allowed, without attributes; all else is shown as text.

    >>> safe('<b onclick="x()">2 < 3</b><script>alert(1)</script><i>open')
    Markup('<b>2 &lt; 3</b>&lt;script&gt;alert(1)&lt;/script&gt;<i>open</i>')
    """
    parser = _Safe()
    parser.feed(text)
    parser.close()
    parser.out += [f"</{tag}>" for tag in reversed(parser.open)]
    return Markup("".join(parser.out))
