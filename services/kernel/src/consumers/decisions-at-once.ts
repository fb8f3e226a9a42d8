/**
 * Many decisions due at once would take all database connections; limited they take as long (docs/performance.md, "Live chat while flows
 * are due").
 */
export const decisionsAtOnce = 16
