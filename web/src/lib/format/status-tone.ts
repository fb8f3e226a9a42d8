/** Of a status, shown as a coloured dot. */
export type StatusTone = 'good' | 'busy' | 'info' | 'bad'
