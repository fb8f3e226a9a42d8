import { programRefusals } from './program-refusals.ts'

/** Only the HTTP border uses the status. */
export const refusals = {
  invalid_request: { status: 422, title: 'Alguns campos precisam de atenção.' },
  body_too_large: { status: 413, title: 'O conteúdo enviado é grande demais.' },
  malformed_body: { status: 400, title: 'Não foi possível entender o conteúdo enviado.' },
  body_too_deep: { status: 400, title: 'O conteúdo enviado tem níveis demais.' },
  body_too_many_values: { status: 413, title: 'O conteúdo enviado tem valores demais.' },
  request_too_large: { status: 431, title: 'O endereço ou os cabeçalhos do pedido são grandes demais.' },
  idempotency_key_reused: {
    status: 422,
    title: 'Este pedido repete a chave de outro com conteúdo diferente. Atualize a página e tente de novo.',
  },
  request_in_progress: { status: 409, title: 'Este pedido ainda está sendo atendido. Tente de novo em instantes.' },
  foreign_origin: { status: 403, title: 'Este pedido não veio do Prosa.' },
  not_signed_in: { status: 401, title: 'Entre na sua conta para continuar.' },
  purpose_needed: { status: 428, title: 'Diga primeiro por que você precisa ver estes dados.' },
  not_allowed: { status: 403, title: 'Sua conta não tem acesso a esta área.' },
  wrong_credentials: { status: 401, title: 'E-mail ou senha incorretos.' },
  wrong_current_password: { status: 422, title: 'A senha atual não confere.' },
  reset_link_invalid: { status: 410, title: 'Este link não vale mais. Peça outro em “Esqueci minha senha”.' },
  confirmation_link_invalid: { status: 410, title: 'Este link de confirmação não vale mais.' },
  confirmation_link_expired: { status: 410, title: 'Este link de confirmação venceu.' },
  mail_not_configured: {
    status: 409,
    title: 'O envio de e-mails não está configurado. Fale com quem administra o Prosa da sua empresa.',
  },
  password_must_be_changed: { status: 403, title: 'Escolha uma nova senha para continuar.' },
  own_account_erased_in_profile: {
    status: 409,
    title: 'Você não pode excluir sua própria conta aqui. Use “Excluir minha conta”, no seu perfil.',
  },
  own_account_changed_in_profile: {
    status: 409,
    title: 'Troque seu próprio e-mail ou sua própria senha no seu perfil, com a senha atual.',
  },
  address_not_proved: {
    status: 409,
    title: 'Esta conta ainda não confirmou o e-mail pelo link que recebeu. Só depois ela pode ser analista.',
  },
  role_is_configured: {
    status: 409,
    title: 'Esta conta é analista pela configuração (PROSA_ANALYST_EMAILS). Tire a conta de lá.',
  },
  last_administrator: {
    status: 409,
    title: 'Esta é a única conta que administra o Prosa. Dê o acesso a outra pessoa antes.',
  },
  passwords_busy: {
    status: 503,
    title:
      'Muitas pessoas estão entrando ao mesmo tempo, e sua senha não pôde ser conferida. Nada mudou: tente de novo em alguns segundos.',
  },
  email_taken: { status: 409, title: 'Já existe uma conta com este e-mail.' },
  too_many_attempts: { status: 429, title: 'Muitas tentativas. Aguarde alguns minutos e tente de novo.' },
  too_many_computations: {
    status: 503,
    title: 'Há cálculos demais em andamento. Nada mudou: espere que terminem e tente de novo em alguns segundos.',
  },
  computation_too_long: {
    status: 422,
    title:
      'Isto levou tempo demais para ser calculado e foi interrompido. Nada mudou: encurte o fluxo ou a conversa do teste e tente de novo.',
  },
  computation_stopped: {
    status: 503,
    title: 'O cálculo foi interrompido antes do fim. Nada mudou: tente de novo.',
  },
  too_many_sockets: {
    status: 429,
    title: 'Há abas demais do Prosa abertas neste navegador. Feche algumas; esta se atualiza mais devagar até lá.',
  },
  plan_not_found: { status: 404, title: 'Plano não encontrado.' },
  plan_incomplete: { status: 422, title: 'Por favor, preencha todos os campos obrigatórios' },
  plan_id_taken: { status: 409, title: 'Já existe um plano com este ID.' },
  plan_id_fixed: {
    status: 409,
    title: 'O ID de um plano não muda. Crie outro plano com o novo ID e exclua este.',
  },
  webhook_signature_invalid: { status: 401, title: 'A assinatura deste aviso não confere.' },
  webhook_not_configured: {
    status: 503,
    title: 'Nenhum token da Kiwify está configurado para este endereço: o aviso não pôde ser conferido.',
  },
  delivery_not_found: { status: 404, title: 'Este aviso não existe.' },
  delivery_body_gone: {
    status: 409,
    title: 'O conteúdo deste aviso já foi apagado: não há o que processar de novo.',
  },
  address_has_account: {
    status: 409,
    title: 'Este e-mail é de uma conta. Exclua a conta, na aba Usuários: os dados de compra vão com ela.',
  },
  erasure_not_found: { status: 404, title: 'Nada foi apagado com este código.' },
  transaction_not_found: { status: 404, title: 'Transação não encontrada.' },
  transaction_has_plan: { status: 409, title: 'Esta compra já é de um plano: um plano tem o produto dela.' },
  too_many_contacts_found: {
    status: 422,
    title: 'Contatos demais têm este nome ou número. Escreva mais dele.',
  },
  value_not_set: { status: 404, title: 'Nenhum acontecimento que você possa ver deu este valor.' },
  route_not_found: { status: 404, title: 'Endereço não encontrado.' },
  contact_not_found: { status: 404, title: 'Contato não encontrado.' },
  past_not_ready: {
    status: 503,
    title: 'O passado ainda está sendo preparado. O que vale agora está em dia: tente de novo em alguns minutos.',
  },
  record_not_found: { status: 404, title: 'Registro não encontrado.' },
  record_too_long: {
    status: 422,
    title: 'Este registro tem mais de 20.000 acontecimentos. Veja a conversa como era no Bate Papo, ou o histórico.',
  },
  contact_field_not_found: { status: 404, title: 'Campo não encontrado.' },
  contact_field_name_taken: {
    status: 409,
    title: 'Já existe um campo com este nome, ou ele é do Prosa: escolha outro.',
  },
  contact_field_value_invalid: { status: 422, title: 'O valor não serve para este campo.' },
  too_many_contact_fields: { status: 409, title: 'Você já tem 30 campos. Exclua um para criar outro.' },
  contact_note_not_found: { status: 404, title: 'Nota não encontrada.' },
  too_many_notes: { status: 409, title: 'Este contato já tem 200 notas. Apague uma para escrever outra.' },
  conversation_not_attending: { status: 409, title: 'Aceite a conversa antes de finalizar.' },
  connection_not_found: { status: 404, title: 'Conexão não encontrada.' },
  connection_already_linked: { status: 409, title: 'Esta conexão já está ligada a um número.' },
  too_many_connections: {
    status: 409,
    title: 'Esta conta já tem todas as conexões que pode ter. Exclua uma que não usa mais e tente de novo.',
  },
  too_many_linking: {
    status: 429,
    title:
      'Já há conexões esperando pela leitura do QR Code. Leia um dos códigos, exclua uma delas ou espere dois minutos, e tente de novo.',
  },
  day_used_up: {
    status: 429,
    title:
      'Sua conta já fez todas as mudanças que cabem em um dia. Tente de novo amanhã; o que seus clientes escrevem continua chegando.',
  },
  drafts_of_day_used_up: {
    status: 429,
    title:
      'Sua conta já salvou todos os rascunhos que cabem em um dia. Tente de novo amanhã; o que está publicado continua funcionando.',
  },
  drafts_full: {
    status: 413,
    title:
      'O espaço para rascunhos de fluxos da sua conta está cheio. Exclua fluxos de que não precisa mais e tente de novo.',
  },
  draft_of_then_gone: {
    status: 404,
    title:
      'O desenho deste rascunho não ficou guardado: para sempre ficam as versões publicadas. Escolha outro momento.',
  },
  draft_missing: {
    status: 409,
    title:
      'O rascunho deste fluxo está sendo salvo, ou não foi encontrado. Tente de novo em instantes; se continuar, volte a uma versão publicada.',
  },
  versions_of_day_used_up: {
    status: 429,
    title:
      'Sua conta já publicou todas as versões que cabem em um dia. Tente de novo amanhã; o que está publicado continua funcionando.',
  },
  versions_full: {
    status: 413,
    title:
      'O espaço para versões publicadas da sua conta está cheio, e versões ficam guardadas. Fale com o suporte; o que está publicado continua funcionando.',
  },
  subscription_ended: { status: 402, title: 'Seu período terminou. Escolha um plano para voltar a enviar.' },
  email_not_confirmed: {
    status: 403,
    title: 'Confirme seu e-mail para enviar mensagens: abra o link que enviamos, ou peça outro.',
  },
  message_limit_reached: {
    status: 402,
    title:
      'Todas as mensagens que seu plano permite por mês já foram enviadas. Escolha um plano maior para enviar mais.',
  },
  connection_limit_reached: {
    status: 402,
    title: 'Sua conta já tem todas as conexões que seu plano permite. Exclua uma ou escolha um plano maior.',
  },
  connection_not_open: {
    status: 409,
    title:
      'WhatsApp não está conectado. Por favor, conecte sua conta do WhatsApp em Configurações antes de enviar mensagens.',
  },
  line_not_of_conversation: {
    status: 409,
    title:
      'Esta pessoa nunca escreveu para esse número. Para responder por ele, escolha-o antes na conversa: ela verá um número diferente.',
  },
  line_removed: {
    status: 409,
    title: 'O número por que esta conversa acontecia foi removido ou trocado. Escolha por qual número responder.',
  },
  message_line_removed: {
    status: 409,
    title: 'O número desta mensagem foi removido ou trocado, e só por ele o WhatsApp a conhece.',
  },
  pairing_code_unavailable: {
    status: 409,
    title:
      'O código só pode ser pedido enquanto a conexão espera por um telefone. Peça um novo QR Code e tente de novo.',
  },
  network_not_available: { status: 422, title: 'Esta rede não está disponível aqui.' },
  session_not_found: { status: 404, title: 'Sessão não encontrada.' },
  qr_code_not_ready: { status: 404, title: 'QR Code não disponível ainda. Aguarde alguns segundos.' },
  message_not_found: { status: 404, title: 'Mensagem não encontrada.' },
  message_id_taken: {
    status: 409,
    title: 'Esta mensagem usa a identificação de outra, para outro contato. Envie de novo.',
  },
  message_not_ready: { status: 409, title: 'Esta mensagem ainda não chegou ao contato.' },
  message_not_own: { status: 409, title: 'Só quem escreveu a mensagem pode editá-la ou apagá-la para todos.' },
  message_not_sent: { status: 409, title: 'Esta mensagem não foi enviada. Tente enviá-la de novo antes de mudá-la.' },
  message_not_editable: { status: 409, title: 'Só textos e legendas podem ser editados.' },
  edit_too_late: {
    status: 409,
    title: 'O WhatsApp só deixa editar até 15 minutos depois do envio. Escreva outra mensagem.',
  },
  deletion_too_late: { status: 409, title: 'O WhatsApp só deixa apagar para todos até 2 dias depois do envio.' },
  media_not_found: { status: 404, title: 'Arquivo não encontrado.' },
  media_not_ready: { status: 409, title: 'O arquivo ainda está chegando. Tente de novo em instantes.' },
  media_already_sent: { status: 409, title: 'Este arquivo já foi enviado em outra conversa. Anexe-o de novo.' },
  media_type_refused: {
    status: 422,
    title: 'O conteúdo do arquivo não é do tipo que ele diz ser, ou não pode ser enviado.',
  },
  media_too_large: { status: 413, title: 'O arquivo é grande demais para o WhatsApp.' },
  media_day_used_up: {
    status: 429,
    title: 'Sua conta já enviou os arquivos que cabem em 24 horas. Tente de novo mais tarde; textos continuam saindo.',
  },
  media_over_day: {
    status: 413,
    title: 'Este arquivo é maior do que tudo o que sua conta pode enviar em 24 horas. Envie um arquivo menor.',
  },
  media_storage_full: {
    status: 413,
    title:
      'O espaço para arquivos da sua conta está cheio. Apague contatos de que não precisa mais e tente de novo; textos continuam saindo.',
  },
  media_empty: { status: 422, title: 'O arquivo está vazio.' },
  photo_not_found: { status: 404, title: 'Foto não encontrada.' },
  photo_type_refused: { status: 422, title: 'Este arquivo não é uma foto em JPG, PNG ou GIF.' },
  photo_too_large: { status: 413, title: 'A foto é grande demais: o máximo é 5 MB.' },
  photo_too_many_pixels: {
    status: 422,
    title: 'A foto tem pixels demais: o máximo são 16 megapixels, ou 4 em um GIF. Diminua-a e tente de novo.',
  },
  photos_busy: {
    status: 503,
    title: 'Muitas fotos estão sendo trocadas ao mesmo tempo. A sua não mudou: tente de novo em alguns segundos.',
  },
  photo_broken: { status: 422, title: 'A foto está danificada e não pôde ser aberta. Escolha outra.' },
  quick_reply_not_found: { status: 404, title: 'Resposta rápida não encontrada.' },
  shortcut_taken: { status: 409, title: 'Já existe uma resposta rápida com este atalho.' },
  too_many_quick_replies: {
    status: 409,
    title: 'Você já tem 500 respostas rápidas. Exclua uma para criar outra.',
  },
  opening_hours_not_set: {
    status: 409,
    title: 'Defina primeiro seu horário de atendimento: sem ele não se sabe o que é fora do horário.',
  },
  company_name_missing: {
    status: 409,
    title: 'O texto usa {empresa}, mas o nome da empresa está vazio: preencha-o em Configurações → Empresa.',
  },
  flow_folder_not_found: { status: 404, title: 'Pasta não encontrada.' },
  flow_not_found: { status: 404, title: 'Fluxo não encontrado.' },
  flow_version_not_found: { status: 404, title: 'Esta versão do fluxo não existe.' },
  flow_run_not_found: { status: 404, title: 'Execução não encontrada.' },
  too_many_flow_secrets: { status: 409, title: 'Você já tem 50 segredos. Exclua um para criar outro.' },
  too_many_flow_requests: {
    status: 429,
    title: 'O limite de requisições dos fluxos por hoje acabou. Amanhã há mais.',
  },
  flow_link_not_found: {
    status: 404,
    title: 'Nenhuma mensagem de um fluxo tem este link, ou o contato dela foi apagado.',
  },
  flow_draft_conflict: {
    status: 409,
    title: 'Este fluxo foi mudado em outra janela. Carregue o que está salvo, ou salve o seu por cima.',
  },
  flow_too_large: {
    status: 413,
    title: 'Este fluxo é grande demais: cabem 700 kB, com todos os textos. Encurte textos, ou divida-o em dois fluxos.',
  },
  flow_has_errors: { status: 409, title: 'Este fluxo tem erros. Corrija cada um antes de publicar.' },
  flow_not_published: { status: 409, title: 'Este fluxo ainda não foi publicado.' },
  too_many_flows: { status: 409, title: 'Você já tem 1.000 fluxos. Exclua um para criar outro.' },
  too_many_flow_folders: { status: 409, title: 'Você já tem 200 pastas. Exclua uma para criar outra.' },
  label_not_found: { status: 404, title: 'Etiqueta não encontrada.' },
  label_name_taken: { status: 409, title: 'Já existe uma etiqueta com este nome.' },
  too_many_labels: { status: 409, title: 'Você já tem 100 etiquetas. Exclua uma para criar outra.' },
  too_many_labels_on_contact: { status: 409, title: 'Este contato já tem 20 etiquetas. Tire uma para pôr outra.' },
  contacts_not_merged: { status: 409, title: 'Estes contatos não estão unidos.' },
  number_not_on_whatsapp: { status: 422, title: 'Este número não tem WhatsApp.' },
  too_many_look_ups: {
    status: 429,
    title:
      'Muitos números novos foram consultados no WhatsApp em pouco tempo. Tente de novo em alguns minutos, ou espere que a pessoa escreva primeiro.',
  },
  user_not_found: { status: 404, title: 'Usuário não encontrado.' },
  access_lasts_longer: {
    status: 409,
    title: 'O acesso já vai além desta data. Para encurtá-lo, remova o acesso e estenda de novo.',
  },
  access_has_ended: {
    status: 409,
    title: 'O período de acesso já terminou. Para abri-lo de novo, estenda o acesso.',
  },
  own_access: {
    status: 409,
    title: 'Você não pode encerrar o próprio acesso. Peça a outra pessoa que administra o Prosa.',
  },
  export_running: {
    status: 429,
    title: 'Uma cópia dos dados desta conta já está sendo baixada. Espere que ela termine e tente de novo.',
  },
  export_not_ready: {
    status: 503,
    title:
      'A cópia não pode ser feita neste momento: alguns dados ainda estão sendo organizados, e ela não sairia completa. Tente de novo mais tarde.',
  },
  export_not_found: { status: 404, title: 'Esta cópia não existe.' },
  export_over: { status: 410, title: 'O prazo para baixar esta cópia passou. Peça outra.' },
  ...programRefusals,
  support_request_not_found: { status: 404, title: 'Mensagem não encontrada.' },
  parked_work_not_found: { status: 404, title: 'Este trabalho parado não existe mais.' },
  read_model_not_found: { status: 404, title: 'Esta tabela de leitura não existe.' },
  unavailable: {
    status: 503,
    title:
      'O Prosa está sem acesso aos dados neste momento. Nada do que foi confirmado se perdeu; tente de novo em instantes.',
  },
  unexpected: { status: 500, title: 'Não foi possível concluir. Nada do que foi confirmado se perdeu; tente de novo.' },
} as const

export type Refusal = keyof typeof refusals

/** `wait`: '3 minutos'. */
export const sentencesWithWait: Partial<Record<Refusal, (wait: string) => string>> = {
  too_many_attempts: (wait) => `Muitas tentativas. Tente de novo em ${wait}.`,
  media_day_used_up: (wait) =>
    `Sua conta já enviou os arquivos que cabem em 24 horas. Tente de novo em ${wait}; textos continuam saindo.`,
  day_used_up: (wait) =>
    `Sua conta já fez todas as mudanças que cabem em um dia. Tente de novo em ${wait}; o que seus clientes escrevem continua chegando.`,
}

export const sentencesWithLimit: Partial<Record<Refusal, (limit: number) => string>> = {
  message_limit_reached: (limit) =>
    `Seu plano permite ${limit.toLocaleString('pt-BR')} mensagens por mês, e todas já foram enviadas. Escolha um plano maior ou espere o próximo mês.`,
  connection_limit_reached: (limit) =>
    `Seu plano permite ${limit === 1 ? '1 conexão' : `${limit} conexões`}. Exclua uma que não usa mais ou escolha um plano maior.`,
}
