import { Field } from '../forms/field.tsx'

const wrongRange = 'O último dia vem antes do primeiro. Troque as datas.'

export interface DayRange {
  /** 2027-01-12, or empty. */
  from: string
  to: string
  onFrom: (day: string) => void
  onTo: (day: string) => void
}

export const DayFilters = ({ from, to, onFrom, onTo }: DayRange) => (
  <>
    <Field label="De" type="date" value={from} onChange={onFrom} />
    <Field
      label="Até"
      type="date"
      value={to}
      onChange={onTo}
      error={from !== '' && to !== '' && from > to ? wrongRange : undefined}
    />
  </>
)
