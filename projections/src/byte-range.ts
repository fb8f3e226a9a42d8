interface ByteRange {
  from: number
  to: number
}

/** RFC 9110, 14. Undefined: whole file, also for several or malformed ranges. */
export const askedRange = (header: string | undefined, bytes: number): ByteRange | undefined | 'unsatisfiable' => {
  const found = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header ?? '')
  if (!found || (found[1] === '' && found[2] === '')) return undefined
  const [, first = '', last = ''] = found
  if (first === '') {
    const length = Math.min(Number(last), bytes)
    return length === 0 ? 'unsatisfiable' : { from: bytes - length, to: bytes - 1 }
  }
  const [from, to] = [Number(first), last === '' ? bytes - 1 : Math.min(Number(last), bytes - 1)]
  if (last !== '' && Number(last) < from) return undefined
  return from < bytes ? { from, to } : 'unsatisfiable'
}
