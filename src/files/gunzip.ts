// Unpacks gzip with what every runtime has. Browsers refuse several gzip members in a row, which Node reads.

export async function* gunzip(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const { readable, writable } = new DecompressionStream('gzip');
  const writer = writable.getWriter();
  let failure: unknown;
  const feeding = (async () => {
    try {
      for await (const chunk of chunks) await writer.write(chunk as Uint8Array<ArrayBuffer>);
      await writer.close();
    } catch (error) {
      failure = error;
      await writer.abort(error).catch(() => {});
    }
  })();
  const reader = readable.getReader();
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) yield next.value;
    await feeding;
  } catch (error) {
    throw failure ?? error;
  } finally {
    await reader.cancel().catch(() => {});
  }
}
