"""How schemathesis sends what it does not know: as it is."""

import schemathesis


@schemathesis.serializer("application/x-ndjson", "application/vnd.apache.arrow.stream")
def as_it_is(context, value):
    return value if isinstance(value, bytes) else getattr(value, "data", str(value).encode("utf-8", "surrogatepass"))
