import { isVariable } from '@prosa/contracts/flows/check-flow'
import { requestFaults } from '@prosa/contracts/flows/check-request'
import { maximumRequestBodyLength, maximumRequestUrlLength } from '@prosa/contracts/flows/flow-limits'
import { requestMethods } from '@prosa/contracts/flows/request'
import { filledJson, filledUrl, isJson, sampleValues } from '@prosa/contracts/flows/request-template'
import { Field } from '../../../../components/forms/field.tsx'
import { SelectField } from '../../../../components/forms/select-field.tsx'
import { TextAreaField } from '../../../../components/forms/text-area-field.tsx'
import type { NodeFieldsProps } from '../node-fields.ts'
import { HeaderFields, ResultFields } from './request-lists.tsx'
import { RequestSecrets } from './request-secrets.tsx'
import { RequestTest } from './request-test.tsx'

export const RequestFields = ({ node, onChange }: NodeFieldsProps<'request'>) => {
  const { title, method, url, headers, body, results } = node.data
  const isBadUrl = url.trim() !== '' && !filledUrl(url, sampleValues)
  const isBadBody = body.trim() !== '' && !isJson(filledJson(body, sampleValues))
  return (
    <>
      <Field
        label="Título"
        placeholder="Ex: Consultar pedido"
        maxLength={100}
        value={title}
        onChange={(text) => onChange({ title: text }, 'title')}
      />
      <SelectField
        label="Método"
        value={method}
        onChange={(chosen) => onChange({ method: requestMethods.find((each) => each === chosen) ?? 'GET' })}
        options={requestMethods.map((each) => ({ value: each, label: each }))}
      />
      <Field
        label="Endereço"
        placeholder="https://api.exemplo.com/pedidos/{resposta}"
        help="Variáveis como {resposta} valem depois do domínio, e são escritas como um endereço pede."
        error={isBadUrl ? 'Comece por https:// e use variáveis só depois do domínio.' : undefined}
        inputMode="url"
        maxLength={maximumRequestUrlLength}
        autoCapitalize="none"
        autoComplete="off"
        spellCheck={false}
        value={url}
        onChange={(text) => onChange({ url: text }, 'url')}
      />
      <HeaderFields headers={headers} onChange={(changed, field) => onChange({ headers: changed }, field)} />
      {method !== 'GET' && (
        <TextAreaField
          label="Corpo (JSON)"
          placeholder={'{"cliente": "{nome}", "quantidade": {quantidade}}'}
          help="Entre aspas, uma variável é texto; sem aspas, um número, true ou false."
          error={isBadBody ? 'Este JSON não é válido.' : undefined}
          rows={6}
          maxLength={maximumRequestBodyLength}
          autoCapitalize="none"
          spellCheck={false}
          value={body}
          onChange={(text) => onChange({ body: text }, 'body')}
        />
      )}
      <ResultFields results={results} onChange={(changed, field) => onChange({ results: changed }, field)} />
      <RequestSecrets />
      <RequestTest nodeId={node.id} request={node.data} canSend={requestFaults(node.data, isVariable).length === 0} />
    </>
  )
}
