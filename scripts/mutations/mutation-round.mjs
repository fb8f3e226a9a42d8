import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { inRoot } from '../root.mjs'
import { endOfLife } from '../running/end-of-life.mjs'
import { runCommand } from '../running/run-command.mjs'
import { temporaryFolder } from '../running/temporary-folder.mjs'
import { findCandidates, shuffle } from './candidates.mjs'
import { equivalence } from './equivalent.mjs'
import { nearestTests } from './nearest-tests.mjs'
import { runTests } from './run-tests.mjs'
import { filesOf, temporaryCheckout } from './temporary-checkout.mjs'

/** Tests wait half of their time. */
const atOnce = 2
const maxMs = 240_000
const maxFiles = 40

const compiles = async (folder) => {
  const tsc = [join(folder, 'node_modules/typescript/bin/tsc'), '--noEmit', '--singleThreaded', '-p', folder]
  return (await runCommand(tsc, { cwd: folder })).code === 0
}

const testMutation = async ({ path, index, found, change }, files, { folder, temporary }) => {
  const file = join(folder, path)
  const text = readFileSync(file, 'utf8')
  try {
    writeFileSync(file, text.slice(0, index) + change + text.slice(index + found.length))
    const result = await runTests(folder, files, { temporary, maxMs })
    const isNoticed = result.end === 'failed' || result.end === 'silent' || result.end === 'aborted'
    return isNoticed || (await compiles(folder)) ? result : { end: 'uncompiled' }
  } finally {
    writeFileSync(file, text)
  }
}

const soundness = (temporary) => {
  const known = new Map()
  const ask = async (folder, file) => {
    const { end } = await runTests(folder, [file], { temporary, maxMs })
    if (end !== 'passed' && end !== 'aborted') console.log(`left out, as it fails without any fault: ${file}`)
    return end === 'passed'
  }
  return {
    isSound(folder, file) {
      const answer = known.get(file) ?? ask(folder, file)
      known.set(file, answer)
      return answer
    },
    mayBeSound: async (file) => !known.has(file) || (await known.get(file)),
  }
}

const verdicts = {
  silent: { verdict: 'caught', why: 'a test does not come to an end' },
  uncompiled: { verdict: 'apart', why: 'does not compile' },
  late: { verdict: 'survived', why: 'no test failed in time' },
  aborted: { verdict: 'aborted', why: '' },
}

const tryMutation = async (mutation, tests, { sound, ...place }) => {
  for (;;) {
    const may = await Promise.all(tests.map(({ file }) => sound.mayBeSound(file)))
    const files = tests.flatMap(({ file }, index) => (may[index] ? file : [])).slice(0, maxFiles)
    if (files.length === 0) return { verdict: 'survived', why: 'no test runs this file' }
    const { end, failed, test } = await testMutation(mutation, files, place)
    if (end === 'passed') return { verdict: 'survived', why: `${files.length} files of tests pass` }
    if (end !== 'failed') return verdicts[end]
    if (failed === undefined) return { verdict: 'caught', why: 'an error outside of any test' }
    if (await sound.isSound(place.folder, failed))
      return { verdict: 'caught', why: `${failed}: ${test ?? 'does not load'}` }
    if (endOfLife.aborted) return verdicts.aborted
  }
}

const shown = ({ area, path, line, what, found, change, code }) =>
  `${area}: ${path}:${line} ${what}: '${found}' → '${change}' in: ${code}`

const print = (tried, seconds) => {
  const of = (verdict) => tried.filter((each) => each.verdict === verdict)
  const [caught, survived, apart] = ['caught', 'survived', 'apart'].map(of)
  const list = (title, of) => {
    if (of.length > 0) console.log(`\n${title}`)
    for (const { mutation, why } of of) console.log(`- ${shown(mutation)}\n    ${why}`)
  }
  list('Survived:', survived)
  list('Not counted:', apart)
  const counted = caught.length + survived.length
  const rate = ((100 * caught.length) / Math.max(1, counted)).toFixed(1)
  console.log(`\n${caught.length} of ${counted} caught: ${rate} % (${apart.length} not counted, ${seconds} s)`)
}

/**
 * Works on its own checkouts of the latest commit.
 *
 * @param area the only area to mutate; all by default
 */
export const mutationRound = async ({ count = 60, seed = Date.now() % 1e6, area } = {}) => {
  const began = performance.now()
  const changed = execFileSync('git', ['status', '--porcelain', '--untracked-files=no'], { cwd: inRoot() }).length > 0
  if (changed) console.log('What is not committed is not part of the round.')
  const temporary = temporaryFolder()
  const checkouts = []
  try {
    for (let each = 0; each < atOnce; each++) checkouts.push(temporaryCheckout())
    const [{ folder }] = checkouts
    const paths = filesOf(folder)
    const candidates = findCandidates(folder, paths, area)
    const testsOf = nearestTests(folder, paths)
    const drawn = shuffle(candidates, seed).map((mutation) => ({ mutation, reason: equivalence(mutation) }))
    const tried = []
    const take = () => {
      for (let next = drawn.shift(); next; next = drawn.shift()) {
        if (!next.reason) return next.mutation
        tried.push({ mutation: next.mutation, verdict: 'apart', why: next.reason })
      }
    }
    console.log(`${count} faults of ${candidates.length} possible ones (seed ${seed})`)
    const sound = soundness(temporary.path)
    let begun = 0
    const work = async (checkout) => {
      while (begun < count && !endOfLife.aborted) {
        begun++
        const mutation = take()
        if (!mutation) return
        const started = performance.now()
        const place = { folder: checkout.folder, temporary: temporary.path, sound }
        const { verdict, why } = await tryMutation(mutation, testsOf(mutation.path, mutation.beyond), place)
        if (endOfLife.aborted) return
        tried.push({ mutation, verdict, why })
        if (verdict === 'apart') begun--
        const seconds = Math.round((performance.now() - started) / 1000)
        console.log(`${verdict.padEnd(8)} ${shown(mutation)}\n    ${seconds} s, ${why}`)
      }
    }
    await Promise.all(checkouts.map(work))
    print(tried, Math.round((performance.now() - began) / 1000))
    return endOfLife.aborted ? 1 : 0
  } finally {
    for (const checkout of checkouts) checkout.remove()
    temporary.remove()
  }
}
