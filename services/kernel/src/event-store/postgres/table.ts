/** Payload: the head; empty from older processes. */
export const channel = 'es_event'

/** Never occurs in names or JSON, so needs no escaping. */
export const separator = '\u001e'
