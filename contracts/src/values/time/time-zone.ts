export const defaultTimeZone = 'America/Sao_Paulo'

/** IANA names: most common first, then east to west. */
export const timeZones = [
  { zone: defaultTimeZone, label: 'Brasília, São Paulo e Rio de Janeiro (UTC−3)' },
  { zone: 'America/Noronha', label: 'Fernando de Noronha (UTC−2)' },
  { zone: 'America/Recife', label: 'Pernambuco (UTC−3)' },
  { zone: 'America/Maceio', label: 'Alagoas e Sergipe (UTC−3)' },
  { zone: 'America/Fortaleza', label: 'Ceará, Maranhão, Paraíba, Piauí e Rio Grande do Norte (UTC−3)' },
  { zone: 'America/Bahia', label: 'Bahia (UTC−3)' },
  { zone: 'America/Araguaina', label: 'Tocantins (UTC−3)' },
  { zone: 'America/Belem', label: 'Amapá e leste do Pará (UTC−3)' },
  { zone: 'America/Santarem', label: 'Oeste do Pará (UTC−3)' },
  { zone: 'America/Campo_Grande', label: 'Mato Grosso do Sul (UTC−4)' },
  { zone: 'America/Cuiaba', label: 'Mato Grosso (UTC−4)' },
  { zone: 'America/Boa_Vista', label: 'Roraima (UTC−4)' },
  { zone: 'America/Manaus', label: 'Amazonas, exceto o extremo oeste (UTC−4)' },
  { zone: 'America/Porto_Velho', label: 'Rondônia (UTC−4)' },
  { zone: 'America/Eirunepe', label: 'Extremo oeste do Amazonas (UTC−5)' },
  { zone: 'America/Rio_Branco', label: 'Acre (UTC−5)' },
] as const

export type TimeZone = (typeof timeZones)[number]['zone']

export const isTimeZone = (name: string): name is TimeZone => timeZones.some(({ zone }) => zone === name)
