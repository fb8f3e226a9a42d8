const counted = (count: number, one: string, many: string) => `${count} ${count === 1 ? one : many}`

/** 40 → '40 segundos', 61 → '2 minutos': rounded up, so the wait suffices. */
export const waitInWords = (seconds: number): string => {
  if (seconds < 60) return counted(Math.max(1, Math.ceil(seconds)), 'segundo', 'segundos')
  if (seconds <= 3540) return counted(Math.ceil(seconds / 60), 'minuto', 'minutos')
  return counted(Math.ceil(seconds / 3600), 'hora', 'horas')
}
