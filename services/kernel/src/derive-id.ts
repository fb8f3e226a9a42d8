import { v5 } from 'uuid'

const namespace = '5f1d1d1e-6f2b-4b8e-9c57-2d0b1f6c9a10'

/** A UUID that follows from its parts, so that doing something again makes the same id again. */
export const deriveId = (...parts: readonly (string | number)[]): string => v5(JSON.stringify(parts), namespace)
