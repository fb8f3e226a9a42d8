/** To programs with a key, and to readers of published events. */
export const programRefusals = {
  key_required: { status: 401, title: 'Envie uma chave do Prosa: “Authorization: Bearer prosa_…”.' },
  key_over: { status: 401, title: 'Esta chave venceu ou foi revogada. Crie outra.' },
  key_not_allowed: {
    status: 403,
    title: 'Esta chave não permite isto. Crie outra, com a permissão que falta, em Configurações → Integrações.',
  },
  too_many_requests: { status: 429, title: 'Esta chave fez pedidos demais em um minuto. Espere e tente de novo.' },
  too_many_messages_to_contact: {
    status: 429,
    title:
      'Seus programas escreveram muitas vezes a este contato em dez minutos. Espere, ou deixe que uma pessoa responda: pode ser um robô do outro lado.',
  },
  contact_may_be_robot: {
    status: 409,
    title:
      'Este contato pode ser um robô: programas e fluxos não escrevem a ele até que uma pessoa finalize a conversa ou diga que ele não é um robô.',
  },
  bot_paused: {
    status: 409,
    title: 'O robô está pausado para este contato. Retome-o na conversa antes de começar um fluxo.',
  },
  flow_turned_off: {
    status: 409,
    title: 'Este fluxo está desligado ou não foi publicado. Publique-o ou ligue-o antes.',
  },
  flow_not_on_line: { status: 409, title: 'Este fluxo não atende o número desta conversa.' },
  flow_running: {
    status: 409,
    title: 'Este contato já está neste fluxo, ou responde a outro agora. Comece de novo quando terminar.',
  },
  flow_ran_recently: {
    status: 409,
    title:
      'Este contato já passou por este fluxo, e “Pode começar de novo” não deixa começar agora. Mude isso no fluxo.',
  },
  too_many_flow_starts: {
    status: 429,
    title: 'Muitos fluxos começaram com este contato em dez minutos. Espere e tente de novo.',
  },
  conversation_attended: {
    status: 409,
    title: 'Uma pessoa atende este contato: os fluxos esperam até o fim da conversa.',
  },
  contact_waits_for_person: {
    status: 409,
    title: 'Um fluxo passou este contato a uma pessoa: nenhum outro começa até que ela finalize a conversa.',
  },
  flow_line_needed: {
    status: 422,
    title: 'Este contato ainda não tem conversa. Diga em connectionId por qual número o fluxo escreve.',
  },
  flow_conversation_needed: {
    status: 409,
    title: 'Esta pessoa ainda não conversou com vocês: escreva a ela antes de começar um fluxo.',
  },
  only_data: { status: 403, title: 'Sua conta é de analista: ela abre a página Dados, e nada mais.' },
  key_not_found: { status: 404, title: 'Esta chave não existe.' },
  too_many_streams: {
    status: 429,
    title: 'Esta chave já lê eventos demais ao mesmo tempo. Espere que um pedido termine.',
  },
  webhook_not_found: { status: 404, title: 'Este webhook não existe mais.' },
  too_many_webhooks: { status: 409, title: 'A conta já tem 5 webhooks. Exclua um para criar outro.' },
  webhook_call_not_found: { status: 404, title: 'Esta entrega não existe mais.' },
  webhook_is_disabled: { status: 409, title: 'Este webhook está desativado. Religue-o antes de repetir entregas.' },
  webhook_address_unreadable: {
    status: 422,
    title: 'Este endereço não é válido. Escreva-o inteiro, como https://exemplo.com.br/prosa.',
  },
  webhook_address_not_https: { status: 422, title: 'O endereço precisa começar com https://.' },
  webhook_address_has_password: {
    status: 422,
    title: 'O endereço não pode ter usuário e senha. Confira a assinatura de cada entrega com o segredo.',
  },
  webhook_address_private: {
    status: 422,
    title: 'Este endereço é de uma rede interna. Use um que se alcance pela internet.',
  },
  stream_type_unknown: { status: 422, title: 'Não há este tipo de evento. Veja o catálogo em /api/streams.' },
  table_not_found: { status: 404, title: 'Não há esta tabela. Veja quais há em /api/streams/tables.' },
  table_not_built: { status: 503, title: 'Esta tabela ainda está sendo preparada. Tente de novo em alguns minutos.' },
  stream_position_unknown: {
    status: 422,
    title: 'Esta posição não é destes eventos. Comece de novo, ou por uma data.',
  },
  stream_follows_as_text: {
    status: 422,
    title: 'Só NDJSON segue ao vivo: CSV e Parquet terminam no último evento. Tire “live”, ou peça format=ndjson.',
  },
  stream_day_open: {
    status: 404,
    title: 'Este dia (UTC) ainda não fechou, ou não é uma data. Leia-o como NDJSON: /api/streams/events?since=…',
  },
  stream_day_without_personal: {
    status: 403,
    title:
      'Arquivos de dias fechados não têm dados pessoais. Use uma chave sem eles, ou /api/streams/events?format=parquet.',
  },
  stream_day_in_preparation: {
    status: 503,
    title: 'O arquivo deste dia está sendo preparado. Peça de novo em alguns segundos.',
  },
} as const
