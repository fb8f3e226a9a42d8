/**
 * How many decisions of a thousand that are due at once are under way at a time. With all of them an attendant's answer would wait
 * seconds for a connection to the database; with so few they take as long in all (docs/performance.md, "Live chat while flows are due").
 */
export const decisionsAtOnce = 16
