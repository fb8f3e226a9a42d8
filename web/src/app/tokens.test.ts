import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { labelColours } from '@prosa/contracts/values/label-colour'
import { describe, expect, it } from 'vitest'
import { theme } from './theme.ts'

const css = readFileSync(resolve(import.meta.dirname, 'tokens.css'), 'utf8')
const schemes = ['light', 'dark'] as const

const colourOf = (token: string, scheme: (typeof schemes)[number]): string => {
  const pair = new RegExp(`--${token}: light-dark\\((#[0-9a-f]{6}), (#[0-9a-f]{6})\\)`, 'i').exec(css)
  const colour = pair?.[scheme === 'light' ? 1 : 2]
  if (!colour) throw new Error(`tokens.css has no light and dark colour --${token}`)
  return colour
}

/** WCAG 2.2, relative luminance. */
const luminance = (colour: string): number => {
  const channel = (from: number) => {
    const value = Number.parseInt(colour.slice(from, from + 2), 16) / 255
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4
  }
  return 0.2126 * channel(1) + 0.7152 * channel(3) + 0.0722 * channel(5)
}

const contrast = (a: string, b: string): number => {
  const [dark = 0, light = 0] = [luminance(a), luminance(b)].sort((x, y) => x - y)
  return (light + 0.05) / (dark + 0.05)
}

const blended = (front: string, back: string, opacity: number): string =>
  [1, 3, 5].reduce((colour, from) => {
    const [above, below] = [front, back].map((each) => Number.parseInt(each.slice(from, from + 2), 16))
    const channel = Math.round((above ?? 0) * opacity + (below ?? 0) * (1 - opacity))
    return colour + channel.toString(16).padStart(2, '0')
  }, '#')

const text: [string, string[]][] = [
  ['text', ['bg', 'surface', 'sunken', 'primary-soft']],
  ['muted', ['bg', 'surface', 'sunken']],
  ['primary', ['bg', 'surface', 'primary-soft']],
  ['on-primary', ['primary', 'primary-hover']],
  ['own-text', ['own', 'primary-soft']],
  ['accent', ['bg', 'surface', 'accent-soft']],
  ['on-accent', ['accent']],
  ['info', ['bg', 'surface', 'info-soft']],
  ['on-info', ['info']],
  ['warn', ['bg', 'surface', 'warn-soft']],
  ['on-warn', ['warn']],
  ['danger', ['bg', 'surface', 'danger-soft']],
  ['on-danger', ['danger']],
  ...labelColours.map((name): [string, string[]] => [`label-${name}`, [`label-${name}-soft`, 'surface']]),
]

const lines: [string, string[]][] = [
  ['border-strong', ['bg', 'surface', 'sunken']],
  ['info', ['bg', 'surface', 'sunken']],
]

describe.each(schemes)('the %s colours', (scheme) => {
  const pairs = (list: [string, string[]][]) => list.flatMap(([front, backs]) => backs.map((back) => [front, back]))

  it.each(pairs(text))('%s can be read on %s', (front = '', back = '') =>
    expect(contrast(colourOf(front, scheme), colourOf(back, scheme))).toBeGreaterThanOrEqual(4.5),
  )

  it.each(['bg', 'surface', 'sunken'])('a switch that is off can be made out on %s', (back) => {
    const track = theme.components?.MuiSwitch?.styleOverrides?.track as { backgroundColor: string; opacity: number }
    const token = track.backgroundColor.replace(/^var\(--(.+)\)$/, '$1')
    const shown = blended(colourOf(token, scheme), colourOf(back, scheme), track.opacity)
    expect(contrast(shown, colourOf(back, scheme))).toBeGreaterThanOrEqual(3)
  })

  it.each(pairs(lines))('%s can be made out on %s', (front = '', back = '') =>
    expect(contrast(colourOf(front, scheme), colourOf(back, scheme))).toBeGreaterThanOrEqual(3),
  )
})
