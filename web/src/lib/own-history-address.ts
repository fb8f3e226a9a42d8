import { paths } from './paths.ts'

/** The own history, with filters as `registro: 'flow:<id>'`. */
export const ownHistory = (filters: Record<string, string> = {}): string =>
  `${paths.settings}?${new URLSearchParams({ secao: 'historico', ...filters })}`
