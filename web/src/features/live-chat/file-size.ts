const decimal = new Intl.NumberFormat('pt-BR', { maximumFractionDigits: 1 })

/** 340 → '340 bytes', 51_200 → '50 kB', 1_258_291 → '1,2 MB'. */
export const fileSize = (bytes: number): string => {
  if (bytes < 1024) return bytes === 1 ? '1 byte' : `${bytes} bytes`
  if (bytes < 1024 * 1024) return `${Math.round(bytes / 1024)} kB`
  return `${decimal.format(bytes / 1024 / 1024)} MB`
}
