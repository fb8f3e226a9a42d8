/** Each commit is announced with the last place of the log, or with nothing by processes of an earlier version. */
export const channel = 'es_event'

/** Parts the fields of one parameter: names and JSON texts hold no control character, so nothing has to be escaped. */
export const separator = '\u001e'
