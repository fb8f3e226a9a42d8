import type { WhyField, WhyKind } from '@prosa/contracts/http/history'

/** A value that a screen shows. */
export type WhyTarget = { [K in WhyKind]: { kind: K; id: string; field: WhyField<K>; part?: string } }[WhyKind]
