import { lazyPart } from '../../../components/layout/lazy-part.tsx'

/** Optional: a row works without chips. */
export const LabelChips = lazyPart(async () => (await import('./label-chips.tsx')).LabelChips, null, true)
