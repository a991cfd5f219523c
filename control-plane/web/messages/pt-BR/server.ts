// Texts for what the studio writes in English, in Brazilian Portuguese: failures, settings, checks and sentences.
import type { ServerTexts } from '../server.ts'

const NEXT_MACHINE = 'A tarefa vai para outra máquina.'
const TRIED_AGAIN = 'A tarefa será tentada de novo.'
const CHECK_NETWORK = 'Verifique a rede até a máquina.'
const STARTED_AGAIN = 'Ele é iniciado de novo para a próxima tarefa.'
const INSTALL_MODEL = 'Instale na página Modelos.'
const OTHER_MACHINE = 'Escolha outra máquina.'
const SEND_AGAIN = 'Envie de novo.'
const USE_LESS = 'Use menos de cada vez.'
const CORRECT = 'Corrija o que os detalhes indicam.'
const JOIN_AGAIN = 'Entre de novo com outro código.'
const PROXY =
  'http://host:porta. O estúdio e os downloads dele passam a usá-lo imediatamente. É guardado com criptografia, porque pode conter uma senha.'
const SERVICE_KEY = 'Para traduzir com este serviço. É guardada com criptografia e nunca é mostrada.'
const FREE_PORT = 'O número de uma porta que nenhum outro programa usa.'

export const server: ServerTexts = {
  failures: {
    WORKER_AT_CAPACITY: ['A máquina está ocupada.', 'A tarefa vai para a próxima que ficar livre.'],
    WORKER_UNREACHABLE: [
      ({ machine }) => (machine ? `A máquina (${machine}) não respondeu.` : 'A máquina não respondeu.'),
      'Verifique se ela está ligada e se o agente dela está em execução.',
    ],
    PINNED_WORKER_UNREACHABLE: [
      'A máquina escolhida não pode ser usada agora.',
      'Ligue-a, instale nela o motor ou escolha esta máquina ou Automático.',
    ],
    MODEL_NOT_INSTALLED: [
      ({ engine }) => (engine ? `O motor (${engine}) não está instalado.` : 'O motor não está instalado.'),
      INSTALL_MODEL,
    ],
    FILES_NOT_PRIVATE: [
      'Outros usuários do computador poderiam alterar o programa deste motor, por isso ele não é usado.',
      'Corrija o proprietário e as permissões dos arquivos.',
    ],
    MODEL_NOT_DOWNLOADED: ['Falta um modelo.', INSTALL_MODEL],
    MODEL_DIGEST_MISMATCH: ['A máquina tem outra versão do modelo.', 'Instale nela a mesma versão ou escolha outra máquina.'],
    INSUFFICIENT_MEMORY: ['O modelo não cabe na memória.', 'Escolha um menor ou outra máquina.'],
    OPERATION_UNSUPPORTED: ['O motor não consegue fazer isto.', 'Escolha outro motor.'],
    NO_CAPABLE_WORKER: ['Nenhuma máquina que pode ser usada consegue fazer isto agora.', 'A página Máquinas mostra o estado de cada uma.'],
    INPUT_TRANSFER_UNSUPPORTED: ['O programa na máquina é antigo demais para receber arquivos.', 'Atualize-o.'],
    CONSENT_MISSING: ['A máquina não foi aprovada.', 'Aprove-a na página Máquinas.'],
    ACCEPT_TIMEOUT: ['A máquina não respondeu a tempo.', NEXT_MACHINE],
    MODEL_LOAD_TIMEOUT: ['Carregar o modelo demorou demais.', 'Tente de novo quando ele estiver carregado.'],
    EXECUTION_TIMEOUT: ['Isto demorou mais do que o permitido.', 'Use menos texto de cada vez.'],
    PROGRESS_LEASE_EXPIRED: ['A máquina parou de informar o progresso.', 'Verifique o log dela.'],
    RESULT_DELIVERY_TIMEOUT: ['O resultado não chegou a tempo.', CHECK_NETWORK],
    INPUT_FETCH_TIMEOUT: ['A entrada não chegou à máquina a tempo.', CHECK_NETWORK],
    TASK_DEADLINE_EXCEEDED: ['O tempo permitido passou.', 'Permita mais tempo.'],
    INPUT_FETCH_FAILED: ['A entrada não chegou à máquina.', CHECK_NETWORK],
    INPUT_CORRUPT: ['A entrada chegou danificada.', SEND_AGAIN],
    INVALID_RESULT: ['A máquina enviou um resultado inválido.', NEXT_MACHINE],
    RESULT_UPLOAD_FAILED: ['O resultado não chegou.', CHECK_NETWORK],
    WORKER_FAILED: ['O motor falhou nessa máquina.', 'Veja o log dela.'],
    WORKER_REJECTED: ['A máquina não aceita isto, e não havia outra a quem pedir.', OTHER_MACHINE],
    ENGINE_CRASHED: ['O motor foi encerrado inesperadamente.', STARTED_AGAIN],
    ENGINE_HUNG: ['O motor parou de responder e foi encerrado.', STARTED_AGAIN],
    NON_FINITE_OUTPUT: ['O motor não gerou um som utilizável.', 'Tente outra semente.'],
    WORKER_DISCONNECTED: ['A conexão com a máquina caiu.', 'Verifique a rede dela.'],
    WORKER_DRAINING: ['A máquina está parando.', NEXT_MACHINE],
    SERVER_RESTART: ['O estúdio foi reiniciado.', 'Tente de novo se não continuar sozinho.'],
    OFFSET_MISMATCH: ['Faltou uma parte do resultado.', TRIED_AGAIN],
    SIZE_MISMATCH: ['O resultado não tem o tamanho anunciado.', TRIED_AGAIN],
    DIGEST_MISMATCH: ['O resultado foi danificado no caminho.', TRIED_AGAIN],
    UPLOAD_INCOMPLETE: ['O resultado terminou antes da hora.', TRIED_AGAIN],
    UNKNOWN: ['Ocorreu um erro inesperado.', 'O log tem os detalhes.'],
    INTERNAL: ['Um defeito do estúdio impediu isto.', 'Relate-o com o log do estúdio.'],
    JOB_SET_ASIDE: ['O trabalho foi posto de lado; a entrada dele foi guardada.', 'Tente de novo depois de uma atualização.'],
    RECOGNITION_FAILED: ['A gravação não foi transcrita.', ''],
    INVALID_TASK_PARAMS: ['Algo no pedido não é válido.', CORRECT],
    MODEL_REF_REJECTED: ['Não é possível baixar o modelo deste servidor.', 'Escolha outro servidor nas configurações ou outro modelo.'],
    RESULT_TOO_LARGE: ['O resultado é grande demais.', USE_LESS],
    ARTIFACT_TOO_LARGE: ['Um arquivo tem mais de 1\u00a0GiB.', USE_LESS],
    INPUT_UNAVAILABLE: ['A entrada foi excluída.', SEND_AGAIN],
    CANCELLED: ['Isto foi cancelado.', ''],
    WORKER_REMOVED: ['A máquina foi removida.', NEXT_MACHINE],
    PINNED_WORKER_EXHAUSTED: ['A máquina escolhida falhou várias vezes.', 'Escolha esta máquina ou outra.'],
    SESSION_EXPIRED: ['A conexão expirou.', 'Ela é refeita sozinha.'],
    STALE_EPOCH: ['Uma tentativa mais nova está em andamento.', 'Espere o resultado dela.'],
    STALE_ATTEMPT: ['Uma tentativa mais nova está em andamento.', 'Espere o resultado dela.'],
    UPGRADE_REQUIRED: ['As versões dos dois programas são diferentes demais.', 'Atualize o mais antigo.'],
    WORKER_REVOKED: ['Esta máquina foi removida do estúdio.', JOIN_AGAIN],
    AUTH_FAILED: ['O outro lado não conseguiu provar sua identidade.', JOIN_AGAIN],
    INVALID_REQUEST: ['Um campo não é válido.', CORRECT],
    BAD_REQUEST: ['O estúdio não pode aceitar isto.', ''],
    NOT_FOUND: ['Isto não existe ou não existe mais.', ''],
    MODEL_NOT_FOUND: ['Não existe um motor com este nome.', 'Escolha outro.'],
    METHOD_NOT_ALLOWED: ['Esta página e o estúdio têm versões diferentes.', 'Recarregue a página.'],
    FORBIDDEN: ['Isto não é permitido.', ''],
    UNAUTHORIZED: ['Você não fez login.', 'Entre de novo.'],
    OTHER_LOCAL_USER: ['Outro usuário deste computador executa o estúdio.', 'Entre no computador com o usuário que executa o estúdio.'],
    PIN_REQUIRED: ['O PIN está ausente ou errado.', 'O estúdio o mostra na própria máquina.'],
    TOO_MANY_WRONG_PINS: ['Houve muitos PINs errados.', 'Confira o PIN na máquina do estúdio.'],
    TOO_MANY_WRONG_KEYS: ['Houve muitas chaves erradas.', 'Confira a chave. A certa funciona na hora.'],
    CONFLICT: ['Isto não combina com o estado atual.', ''],
    IDEMPOTENCY_CONFLICT: ['Isto já foi enviado com outro conteúdo.', 'Tente de novo.'],
    BODY_TOO_LARGE: [
      ({ limit }) => (limit ? `Isto é grande demais (o limite é ${limit}).` : 'Isto é grande demais.'),
      'Envie um arquivo menor ou menos texto.',
    ],
    HEADERS_TOO_LARGE: ['O navegador envia cookies demais.', 'Apague no navegador os cookies deste endereço.'],
    REQUEST_TIMEOUT: ['Isto chegou devagar demais.', 'Verifique a rede e tente de novo.'],
    QUEUE_FULL: [
      ({ seconds }) => (seconds ? `Há tarefas demais na fila (espere ${seconds}\u00a0s).` : 'Há tarefas demais na fila.'),
      'Tente de novo mais tarde.',
    ],
    STORAGE_FULL: ['O disco do estúdio está cheio ou não permite gravação.', 'Libere espaço.'],
    LOG_UNREADABLE: ['Não é possível ler o log.', 'Verifique as permissões da pasta “logs” do estúdio.'],
    VIDEO_FETCH_FAILED: [
      'Não foi possível ler o vídeo desta página.',
      'Atualize as ferramentas de mídia nas configurações ou envie uma gravação.',
    ],
    HOST_NOT_FOUND: [
      ({ host }) => (host ? `O endereço (${host}) não foi encontrado.` : 'O endereço não foi encontrado.'),
      'Confira o endereço e a conexão do estúdio com a internet, ou envie o arquivo.',
    ],
    DOWNLOAD_REFUSED: ['Outro servidor enviou algo que não é usado.', 'Escolha outro item.'],
    MEDIA_TYPE_UNSUPPORTED: ['Arquivos deste tipo não são aceitos.', 'Escolha outro arquivo.'],
    REMOTE_SERVICE_FAILED: ['Um serviço na rede não respondeu ou recusou isto.', 'Confira o endereço e a chave dele nas configurações.'],
    LANGUAGE_MODEL_MISSING: [
      'Nenhum modelo de linguagem está configurado.',
      'Escolha um provedor nas configurações e ative o uso que precisa dele.',
    ],
    PROGRAM_MISSING: [
      ({ program }) => (program ? `Falta um programa (${program}) na máquina do estúdio.` : 'Falta um programa na máquina do estúdio.'),
      'Instale-o.',
    ],
    PROGRAM_FAILED: [
      ({ program }) => (program ? `Um programa (${program}) não rodou como deveria.` : 'Um programa não rodou como deveria.'),
      'O log do estúdio mostra o motivo.',
    ],
    PROGRAM_KILLED: [
      ({ program }) => `Um programa${program ? ` (${program})` : ''} foi encerrado por fora, em geral por falta de memória.`,
      'Libere memória e tente de novo.',
    ],
    NOT_READY: ['O estúdio está iniciando ou parando.', 'Tente de novo em instantes.'],
    VOICE_UNAVAILABLE: ['A voz não está disponível.', ''],
  },
  settings: {
    'perf.torch_compile_disabled': [
      'Pular a compilação de grafos',
      'Para motores em Python no Windows cuja primeira frase demora minutos.',
    ],
    'compute.device': ['Placa de vídeo', 'Automático usa o dispositivo mais rápido desta máquina.'],
    'history.retention': [
      'Takes a manter',
      '0 mantém todos. Os mais antigos são removidos quando um novo é criado; os favoritos nunca são.',
    ],
    'dictation.refinement.auto': ['Refinar automaticamente', 'Os textos vão para o modelo de linguagem quando um ditado termina.'],
    'dictation.refinement.smart_cleanup': ['Limpar o texto', 'Remove vícios de linguagem e corrige a pontuação.'],
    'dictation.refinement.self_correction': ['Aplicar correções', '“Segunda, não, terça” vira “terça”.'],
    'dictation.refinement.preserve_technical': ['Manter termos técnicos', 'Nomes, comandos e código ficam como foram ditos.'],
    'dictation.refine_seconds': ['Tempo para refinar', 'Em segundos. Um texto que demora mais é mantido sem alterações.'],
    'voices.most_gigabytes': ['Vozes', 'Gigabytes para gravações e imagens. Acima disso, novas são recusadas.'],
    'voices.hosted_url': ['Endereço da biblioteca hospedada', 'Vazio para nenhuma. Um novo servidor remove a chave.'],
    'voices.hosted_key': ['Chave da biblioteca hospedada', 'É enviada só a esta biblioteca.'],
    'gallery.most_gigabytes': ['Galeria', 'Gigabytes para clipes. Acima disso, novos clipes são recusados.'],
    'dictation.enabled': ['Ditado', 'Ativa ou desativa o texto a partir do microfone.'],
    'dictation.mode': ['Tecla de ditado', 'Pressione uma vez para começar e uma para terminar, ou mantenha pressionada.'],
    'archetypes.download_previews': [
      'Baixar prévias das vozes',
      'As amostras das vozes oferecidas vêm de quem as publica. Do contrário, são criadas aqui.',
    ],
    'longform.cache_gigabytes': [
      'Cache de audiolivros',
      'Gigabytes para frases geradas. Vazio: 20, ou um quinto do espaço livre, se for menos.',
    ],
    'dubbing.store_gigabytes': [
      'Dublagens',
      'Gigabytes. Acima disso, os arquivos que podem ser refeitos são removidos, começando pelos mais antigos.',
    ],
    'dubbing.ingest_local_network': ['Filmes da rede local', 'Permite endereços da sua própria rede para os filmes, e não só da internet.'],
    'mcp.enabled': ['Servidor MCP', 'Permite que assistentes nesta máquina usem as vozes deste estúdio.'],
    pronunciation_enabled: ['Usar o dicionário', 'Vale para locução, audiolivros e dublagens.'],
    'recognition.expected_languages': [
      'Idiomas esperados',
      'Códigos como pt, en. Gravações sem idioma escolhido estão em um destes. Vazio: qualquer idioma.',
    ],
    'watermark.invisible': [
      'Marca inaudível',
      'A voz deste estúdio pode ser reconhecida como sintética, mesmo depois de convertida. A desativação fica registrada.',
    ],
    'watermark.visible_audio': ['Aviso falado', 'Guardado para programas que adicionam um. O estúdio não adiciona nenhum.'],
    'watermark.visible_video': ['Aviso nos vídeos', 'Os vídeos dublados informam que as vozes são sintéticas.'],
    'env.HTTP_PROXY': ['Proxy para http', PROXY],
    'env.HTTPS_PROXY': ['Proxy para https', PROXY],
    'env.ALL_PROXY': ['Proxy para todo o resto', PROXY],
    'env.GOOGLE_TRANSLATE_API_KEY': ['Chave do Google Translate', SERVICE_KEY],
    'env.DEEPL_API_KEY': ['Chave do DeepL', SERVICE_KEY],
    'env.MICROSOFT_API_KEY': ['Chave do Microsoft Translator', SERVICE_KEY],
    'env.MICROSOFT_REGION': ['Região do Microsoft Translator', 'A região da chave, por exemplo westeurope.'],
    'env.MYMEMORY_EMAIL': ['E-mail do MyMemory', 'Aumenta o limite diário deste serviço, que recebe o endereço.'],
    'env.VOICESTUDIO_PORT': ['Porta do estúdio', FREE_PORT],
    'env.VOICESTUDIO_SHARE_PORT': ['Porta para outros dispositivos', FREE_PORT],
    'llm.skill.dub_translation.enabled': ['Traduzir dublagens', 'As falas de um filme, com as vizinhas como contexto.'],
    'llm.skill.cinematic_translation.enabled': [
      'Reescrever traduções para soarem faladas',
      'Uma segunda passagem para dublagens com a qualidade Cinematic.',
    ],
    'llm.skill.slot_fitting.enabled': [
      'Encurtar falas longas demais',
      'Falas que teriam de ser ditas rápido demais são escritas mais curtas.',
    ],
    'llm.skill.glossary_extract.enabled': ['Sugerir um glossário', 'Nomes e termos de um filme, e como traduzi-los.'],
    'llm.skill.direction_parse.enabled': ['Entender indicações para uma fala', '“Sussurrando, depois mais alto” vira ajustes da voz.'],
    'llm.skill.dictation_refinement.enabled': ['Refinar o texto ditado', 'Como definido em Ditado.'],
  },
  checks: {
    deep_synth: 'Síntese completa (uma frase de teste é gerada de verdade)',
    network: 'Servidor de modelos',
    device: 'Dispositivo',
    ffmpeg: 'ffmpeg',
    hf_token: 'Token do hub de modelos',
    data_dir: 'Pasta de dados',
    engines: 'Motores',
    disk: 'Espaço livre em disco',
    ram: 'Memória',
    gpu_routing: 'Dispositivo do motor',
    os: 'Sistema operacional',
    python: 'Python',
    hf_cache_writable: 'Pasta de modelos',
    gpu: 'Placa de vídeo',
  },
  sentences: {
    'No connected machine has the model of {engine} that this dub began with. It continues when one does.':
      'Nenhuma máquina conectada tem o modelo de {engine} com que esta dublagem começou. Ela continua assim que alguma tiver.',
    'Using the voice {voice}, because the model of the Voice Studio engine is not installed.':
      'A voz {voice} é usada, porque o modelo do motor do Voice Studio não está instalado.',
    'Using {engine}, because the model of {wanted} is not installed.':
      'O motor {engine} é usado, porque o modelo de {wanted} não está instalado.',
    'Using {engine}, because no model of {wanted} for {language} is installed.':
      'O motor {engine} é usado, porque nenhum modelo de {wanted} para {language} está instalado.',
    'None that the engines of this machine can use.': 'Nenhuma que os motores desta máquina possam usar.',
    'Small models run fast without one, large models run slowly. You can borrow a machine that has one.':
      'Sem placa de vídeo, modelos pequenos rodam rápido e modelos grandes rodam devagar. Você pode pegar emprestada uma máquina que tenha uma.',
    'This machine has a GPU, so large models run fast enough.':
      'Esta máquina tem uma GPU, por isso modelos grandes rodam rápido o bastante.',
    'These models run fast on a CPU.': 'Estes modelos rodam rápido em uma CPU.',
    '{engine} runs on {device}.': '{engine} roda em {device}.',
    'The local agent is not connected yet.': 'O agente local ainda não está conectado.',
    'The free space is unknown.': 'O espaço livre é desconhecido.',
    '{size} free': '{size} livres',
    'The studio was not tested on this system.': 'O estúdio não foi testado neste sistema.',
    '{server} answers.': '{server} responde.',
    '{server} does not answer.': '{server} não responde.',
    'Installed models work without it. To install others, connect this machine to the internet or choose a mirror in the settings.':
      'Os modelos instalados funcionam sem ele. Para instalar outros, conecte esta máquina à internet ou escolha um servidor espelho nas configurações.',
    'Installed models work without it. Check the connection, the proxy or the mirror in the settings.':
      'Os modelos instalados funcionam sem ele. Verifique a conexão, o proxy ou o servidor espelho nas configurações.',
    'Set.': 'Definido.',
    'Not set.': 'Não definido.',
    'Only models that require an account need it. Add it in the settings.':
      'Só os modelos que exigem uma conta precisam dele. Adicione-o nas configurações.',
    'Free some space. Models and recordings need more than 5 GB.': 'Libere espaço. Modelos e gravações precisam de mais de 5\u00a0GB.',
    'Free some space, or correct the owner and the access rights of the folder.':
      'Libere espaço ou corrija o proprietário e as permissões da pasta.',
    'Close other programs, unload models, or choose a smaller model.':
      'Feche outros programas, descarregue modelos ou escolha um modelo menor.',
    'Choose another engine or machine, or check the driver.': 'Escolha outro motor ou outra máquina, ou verifique o driver.',
    'The engines of this machine are starting. Try again in a moment.':
      'Os motores desta máquina estão iniciando. Tente de novo em instantes.',
    'A model is being loaded or checked at the moment.': 'Um modelo está sendo carregado ou verificado neste momento.',
    'The file is a manuscript: its headings and tags were kept as they are.':
      'O arquivo é um manuscrito: os títulos e as marcações foram mantidos como estão.',
    'This chapter is switched off.': 'Este capítulo está desativado.',
    'A title without text is no chapter.': 'Um título sem texto não é um capítulo.',
    'This voice does not follow instructions or descriptions.': 'Esta voz não segue instruções nem descrições.',
    'The reference recording was used instead of the named voice.': 'A gravação de referência foi usada no lugar da voz indicada.',
    'The reference is longer than 20 seconds; 3 to 10 seconds are faster and sound better.':
      'A referência tem mais de 20 segundos; com 3 a 10 segundos é mais rápido e soa melhor.',
    'The reference has no transcript. A transcript (ref_text) makes the voice more similar.':
      'A referência não tem transcrição. Com uma transcrição (ref_text), a voz fica mais parecida.',
    'The text cannot be spoken in the requested duration; the nearest possible duration was used.':
      'O texto não pode ser dito na duração pedida; a duração possível mais próxima foi usada.',
    'This model does not compute the times of words.': 'Este modelo não calcula os tempos das palavras.',
    'No speech was found in the recording.': 'Nenhuma fala encontrada na gravação.',
    'The weights of lower precision failed; full precision was used.':
      'Os pesos de menor precisão falharam; a precisão completa foi usada.',
    'This model produces stereo; both channels were mixed to mono.': 'Este modelo gera som estéreo; os dois canais foram mixados em mono.',
  },
}
