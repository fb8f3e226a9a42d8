const statedReason = /\(skipped[^:)]*: ([^)]+)\)/

/**
 * Counts from vitest's JSON report, and a line for each thing that was not run here. A skipped test, or the describe around
 * it, gives the reason in its name: `… (skipped: reason)`. `code` is vitest's own exit code.
 */
export const readTestReport = (report, code) => {
  if (!report) return { passed: 0, failed: 1, skipped: 0, lines: [`vitest ended with code ${code} and left no report`] }
  const lines = []
  const tests = report.testResults.flatMap(({ name, assertionResults }) =>
    assertionResults.map((test) => ({ ...test, file: name })),
  )
  const count = (...statuses) => tests.filter(({ status }) => statuses.includes(status)).length

  // A file that cannot even be loaded has no tests that could fail.
  const broken = report.testResults.filter(
    ({ status, assertionResults }) => status === 'failed' && assertionResults.every((test) => test.status !== 'failed'),
  )
  for (const { name } of broken) lines.push(`Could not be run: ${name}`)

  const skipped = tests.filter(({ status }) => status !== 'passed' && status !== 'failed')
  const reasons = groupBy(skipped, reasonOf)
  for (const [reason, [first, ...others]] of reasons) {
    const more = others.length === 0 ? '' : ` and ${others.length} more`
    lines.push(`Not run here (${reason}): ${first.fullName.replace(statedReason, '').trim()}${more}`)
  }

  const failed = count('failed') + broken.length
  const unexplained = failed === 0 && code !== 0 ? 1 : 0
  if (unexplained) lines.push(`vitest ended with code ${code} though no test failed; it says why above`)
  return { passed: count('passed'), failed: failed + unexplained, skipped: skipped.length, lines }
}

const reasonOf = ({ fullName }) => statedReason.exec(fullName)?.[1] ?? 'no reason stated'

/** Map.groupBy, which Node 20 does not have. */
const groupBy = (items, keyOf) => {
  const groups = new Map()
  for (const item of items) groups.set(keyOf(item), [...(groups.get(keyOf(item)) ?? []), item])
  return groups
}
