import { lazyPart } from '../../../components/lazy-part.tsx'

/** Fetched once somebody has a label; a row without its chips is still a row. */
export const LabelChips = lazyPart(async () => (await import('./label-chips.tsx')).LabelChips, null, true)
