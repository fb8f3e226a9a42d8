/**
 * How node runs the product. What one message leaves behind is garbage within a second. In the small space that V8 begins
 * with for new objects some of it is taken for what stays, and is then collected in pauses of 20 ms and more, while people
 * wait (docs/performance.md). When that happens is set here too: V8 would reckon with how little there was to do before, and meet
 * the first messages after a quiet time with one collection after the other. The image sets the same (deploy/Dockerfile).
 */
export const productFlags = ['--min-semi-space-size=32', '--max-semi-space-size=32', '--heap-growing-percent=200']
