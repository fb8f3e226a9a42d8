/**
 * V8's default young generation promotes short-lived garbage and causes pauses of 20 ms and more (docs/performance.md). The growing percent
 * avoids repeated collections after a quiet time. Same values as deploy/Dockerfile.
 */
export const productFlags = ['--min-semi-space-size=32', '--max-semi-space-size=32', '--heap-growing-percent=200']
