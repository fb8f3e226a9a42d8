export async function* jsonText(value: unknown): AsyncGenerator<string> {
  yield `${JSON.stringify(value, null, 2)}\n`
}

/** Streamed array, one item per line. */
export async function* jsonList(items: AsyncIterable<unknown>): AsyncGenerator<string> {
  let before = '[\n'
  for await (const item of items) {
    yield before + JSON.stringify(item)
    before = ',\n'
  }
  yield before === '[\n' ? '[]\n' : '\n]\n'
}

export async function* jsonLines(items: AsyncIterable<unknown>): AsyncGenerator<string> {
  for await (const item of items) yield `${JSON.stringify(item)}\n`
}
