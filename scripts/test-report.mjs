const statedReason = /\(skipped[^:)]*: ([^)]+)\)/

/** A skipped test gives the reason in its name: `… (skipped: reason)`. `code` is vitest's exit code. */
export const readTestReport = (report, code) => {
  if (!report)
    return {
      passed: 0,
      failed: 1,
      skipped: 0,
      failures: [],
      passes: [],
      lines: [`vitest ended with code ${code} and left no report`],
    }
  const lines = []
  const tests = report.testResults.flatMap(({ name, assertionResults }) =>
    assertionResults.map((test) => ({ ...test, file: name })),
  )
  const count = (...statuses) => tests.filter(({ status }) => statuses.includes(status)).length

  // A file that cannot be loaded has no failed tests.
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
  const withStatus = (wanted) =>
    tests.filter(({ status }) => status === wanted).map(({ file, fullName }) => ({ file, name: fullName }))
  const files = (results) => results.map(({ name }) => ({ file: name, name }))
  const failures = [...withStatus('failed'), ...files(broken)]
  const whole = report.testResults.filter((result) => !broken.includes(result))
  const passes = [...withStatus('passed'), ...files(whole)]
  return { passed: count('passed'), failed: failed + unexplained, skipped: skipped.length, failures, passes, lines }
}

const maxFilesAgain = 3

/** Decision 0041. */
export const filesToRunAgain = ({ failed, failures }) => {
  const files = [...new Set(failures.map(({ file }) => file))]
  return failed === failures.length && files.length <= maxFilesAgain ? files : []
}

/** A test fails when it passed in neither run (decision 0041). */
export const withSecondRun = (first, second) => {
  const among = (tests) => (test) => tests.some(({ file, name }) => file === test.file && name === test.name)
  const isIn = { first: among(first.failures), second: among(second.failures) }
  const hasPassed = { first: among(first.passes), second: among(second.passes) }
  const onlyAlone = second.failures.filter((test) => !isIn.first(test))
  const failures = [
    ...first.failures.filter((test) => isIn.second(test) || !hasPassed.second(test)),
    ...onlyAlone.filter((test) => !hasPassed.first(test)),
  ]
  const passedOnce = (tests) => tests.filter((test) => !among(failures)(test))
  const recovered = passedOnce(first.failures)
  const line =
    (what) =>
    ({ file, name }) =>
      `${what}, to be looked into: ${name} (${file})`
  // An error that belongs to no test, or no report at all.
  const unexplained = second.failed - second.failures.length
  return {
    ...first,
    passed: first.passed + recovered.length,
    failed: failures.length + unexplained,
    failures,
    lines: [
      ...first.lines,
      ...recovered.map(line('Failed beside the others and passed alone')),
      ...passedOnce(onlyAlone).map(line('Passed beside the others and failed alone')),
      ...(unexplained > 0 ? second.lines.filter((each) => each.startsWith('vitest ended')) : []),
    ],
  }
}

const reasonOf = ({ fullName }) => statedReason.exec(fullName)?.[1] ?? 'no reason stated'

/** Node 20 has no Map.groupBy. */
const groupBy = (items, keyOf) => {
  const groups = new Map()
  for (const item of items) groups.set(keyOf(item), [...(groups.get(keyOf(item)) ?? []), item])
  return groups
}
