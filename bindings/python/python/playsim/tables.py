"""Tables as columns: dicts of lists with types, for pandas, polars, Arrow or nothing at all."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Iterator, Mapping

from .errors import InputError

if TYPE_CHECKING:
    import pandas
    import polars
    import pyarrow

__all__ = ["Table"]

_PANDAS = {"int64": "Int64", "string": "string", "object": "object"}
_SHOWN = 20


class Table(dict[str, list[Any]]):
    """Columns by name: a dict of lists that are equally long, in which ``None`` is no value.

    ``pandas.DataFrame(table)`` and ``polars.DataFrame(table)`` take it as it is; `to_pandas` and `to_polars`
    also give columns their types where no row has a value. Libraries that read the Arrow interface take it
    where pyarrow is installed.

    Attributes:
        types: the type of each column: ``int64``, ``string``, or ``object`` for dicts.
        meanings: what each column is, if it is documented.
    """

    def __init__(
        self,
        columns: Mapping[str, list[Any]],
        types: Mapping[str, str],
        meanings: Mapping[str, str] | None = None,
    ) -> None:
        super().__init__(columns)
        self.types = dict(types)
        self.meanings = dict(meanings or {})

    @property
    def height(self) -> int:
        """The number of rows."""
        return len(next(iter(self.values()), []))

    def rows(self) -> Iterator[dict[str, Any]]:
        """The rows, each as a dict."""
        for values in zip(*self.values()):
            yield dict(zip(self, values))

    def to_pandas(self) -> pandas.DataFrame:
        """As a data frame of pandas, with its nullable types."""
        import pandas

        columns = {name: pandas.array(self[name], dtype=_PANDAS[self.types[name]]) for name in self}
        return pandas.DataFrame(columns)

    def to_polars(self) -> polars.DataFrame:
        """As a data frame of polars. Dicts become texts in JSON, because rows of one column have different
        keys."""
        import json

        import polars

        types = {"int64": polars.Int64, "string": polars.String, "object": polars.String}
        columns = {
            name: [None if it is None else json.dumps(it) for it in values]
            if self.types[name] == "object"
            else values
            for name, values in self.items()
        }
        return polars.DataFrame(columns, schema={name: types[self.types[name]] for name in self})

    def to_arrow(self) -> pyarrow.Table:
        """As a table of pyarrow. Dicts become texts in JSON."""
        import json

        import pyarrow

        types = {"int64": pyarrow.int64(), "string": pyarrow.string(), "object": pyarrow.string()}
        arrays = {
            name: pyarrow.array(
                [None if it is None else json.dumps(it) for it in values]
                if self.types[name] == "object"
                else values,
                type=types[self.types[name]],
            )
            for name, values in self.items()
        }
        return pyarrow.table(arrays)

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        try:
            import pyarrow  # noqa: F401
        except ImportError:
            raise InputError("the Arrow interface needs pyarrow: pip install pyarrow") from None
        return self.to_arrow().__arrow_c_stream__(requested_schema)

    def __repr__(self) -> str:
        return f"<playsim table: {self.height} rows, columns {', '.join(self)}>"

    def _repr_html_(self) -> str:
        from html import escape

        head = "".join(
            f'<th title="{escape(self.meanings.get(name, ""))}">{escape(name)}</th>' for name in self
        )
        cell = lambda it: f"<td>{'' if it is None else escape(str(it))}</td>"  # noqa: E731
        shown = zip(*(values[:_SHOWN] for values in self.values()))
        body = "".join(f"<tr>{''.join(map(cell, row))}</tr>" for row in shown)
        more = f"<p>{_SHOWN} of {self.height} rows</p>" if self.height > _SHOWN else ""
        return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>{more}"
