import { join } from 'node:path'
import { describe, expect, it } from 'vitest'

interface Report {
  passed: number
  failed: number
  skipped: number
  failures: { file: string; name: string }[]
  lines: string[]
}
const {
  filesToRunAgain,
  readTestReport,
  withSecondRun,
}: {
  filesToRunAgain(report: Report): string[]
  readTestReport(report: unknown, code: number): Report
  withSecondRun(first: Report, second: Report): Report
} = await import(join(import.meta.dirname, '../../scripts/test-report.mjs'))

/** As vitest writes it: each file with the statuses of its tests. */
const run = (files: Record<string, Record<string, string>>) => {
  const testResults = Object.entries(files).map(([name, tests]) => ({
    name,
    status: Object.values(tests).includes('failed') ? 'failed' : 'passed',
    assertionResults: Object.entries(tests).map(([fullName, status]) => ({ fullName, status })),
  }))
  return readTestReport({ testResults }, testResults.some(({ status }) => status === 'failed') ? 1 : 0)
}

describe('the end of npm test', () => {
  const first = run({
    'a.test.ts': { one: 'failed', two: 'passed' },
    'b.test.ts': { three: 'passed', four: 'skipped' },
  })

  it('counts, and names what was not run', () => {
    expect(first).toMatchObject({ passed: 2, failed: 1, skipped: 1 })
    expect(first.lines).toEqual(['Not run here (no reason stated): four'])
    expect(filesToRunAgain(first)).toEqual(['a.test.ts'])
  })

  it('counts as passed what passes alone, and says so', () => {
    const both = withSecondRun(first, run({ 'a.test.ts': { one: 'passed', two: 'passed' } }))
    expect(both).toMatchObject({ passed: 3, failed: 0, skipped: 1 })
    expect(both.lines).toContain('Failed beside the others and passed alone, to be looked into: one (a.test.ts)')
  })

  it('fails with what fails again, also where another test failed the second time', () => {
    expect(withSecondRun(first, run({ 'a.test.ts': { one: 'failed', two: 'passed' } }))).toMatchObject({ failed: 1 })
    expect(withSecondRun(first, run({ 'a.test.ts': { one: 'passed', two: 'failed' } }))).toMatchObject({ failed: 1 })
    expect(withSecondRun(first, readTestReport(undefined, 1))).toMatchObject({ failed: 1 })
  })

  it('runs nothing again where nothing failed, many files did, or vitest ended without a reason', () => {
    expect(filesToRunAgain(run({ 'a.test.ts': { one: 'passed' } }))).toEqual([])
    const many = Object.fromEntries(['a', 'b', 'c', 'd'].map((name) => [`${name}.test.ts`, { one: 'failed' }]))
    expect(filesToRunAgain(run(many))).toEqual([])
    expect(filesToRunAgain(readTestReport(undefined, 1))).toEqual([])
    expect(filesToRunAgain(readTestReport({ testResults: [] }, 1))).toEqual([])
  })
})
