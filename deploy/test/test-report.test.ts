import { join } from 'node:path'
import { describe, expect, it } from 'vitest'

interface Report {
  passed: number
  failed: number
  skipped: number
  failures: { file: string; name: string }[]
  passes: { file: string; name: string }[]
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

const run = (files: Record<string, Record<string, string>>, code?: number) => {
  const testResults = Object.entries(files).map(([name, tests]) => ({
    name,
    status: Object.values(tests).includes('failed') ? 'failed' : 'passed',
    assertionResults: Object.entries(tests).map(([fullName, status]) => ({ fullName, status })),
  }))
  const hasFailed = testResults.some(({ status }) => status === 'failed')
  return readTestReport({ testResults }, code ?? (hasFailed ? 1 : 0))
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

  it('fails with what fails again, and with what the second run does not come to', () => {
    expect(withSecondRun(first, run({ 'a.test.ts': { one: 'failed', two: 'passed' } }))).toMatchObject({ failed: 1 })
    expect(withSecondRun(first, run({ 'a.test.ts': { one: 'skipped', two: 'passed' } }))).toMatchObject({ failed: 1 })
    const noReport = withSecondRun(first, readTestReport(undefined, 1))
    expect(noReport.failed).toBeGreaterThan(0)
    expect(noReport.lines).toContain('vitest ended with code 1 and left no report')
  })

  it('fails with an error of the second run that belongs to no test', () => {
    const names = { 'a.test.ts': { one: 'passed', two: 'passed' } }
    expect(withSecondRun(first, run(names, 1))).toMatchObject({ failed: 1 })
  })

  it('passes where another test of the file fails the second time, as each has passed once, and says so', () => {
    const both = withSecondRun(first, run({ 'a.test.ts': { one: 'passed', two: 'failed' } }))
    expect(both).toMatchObject({ passed: 3, failed: 0, skipped: 1 })
    expect(both.lines).toContain('Failed beside the others and passed alone, to be looked into: one (a.test.ts)')
    expect(both.lines).toContain('Passed beside the others and failed alone, to be looked into: two (a.test.ts)')
  })

  it('fails with a test that had no chance to pass before, as its file could not be run', () => {
    const notLoaded = readTestReport(
      { testResults: [{ name: 'a.test.ts', status: 'failed', assertionResults: [] }] },
      1,
    )
    expect(withSecondRun(notLoaded, run({ 'a.test.ts': { one: 'failed' } }))).toMatchObject({ failed: 1 })
    expect(withSecondRun(notLoaded, run({ 'a.test.ts': { one: 'passed' } }))).toMatchObject({ failed: 0 })
  })

  it('runs nothing again where nothing failed, many files did, or vitest ended without a reason', () => {
    expect(filesToRunAgain(run({ 'a.test.ts': { one: 'passed' } }))).toEqual([])
    const many = Object.fromEntries(['a', 'b', 'c', 'd'].map((name) => [`${name}.test.ts`, { one: 'failed' }]))
    expect(filesToRunAgain(run(many))).toEqual([])
    expect(filesToRunAgain(readTestReport(undefined, 1))).toEqual([])
    expect(filesToRunAgain(readTestReport({ testResults: [] }, 1))).toEqual([])
  })
})
