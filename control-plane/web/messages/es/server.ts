// Spanish for what the studio writes: failures, settings, checks and sentences.
import type { ServerTexts } from '../server.ts'

export const server: ServerTexts = {
  failures: {
    WORKER_AT_CAPACITY: ['El equipo está ocupado.', 'La tarea pasa al siguiente que esté libre.'],
    WORKER_UNREACHABLE: [
      ({ machine }) => (machine ? `El equipo ${machine} no ha respondido.` : 'El equipo no ha respondido.'),
      'Comprueba que está encendido y que su agente está en marcha.',
    ],
    PINNED_WORKER_UNREACHABLE: [
      'El equipo elegido no se puede usar ahora.',
      'Enciéndelo, instala el motor en él, o elige este equipo o Automático.',
    ],
    MODEL_NOT_INSTALLED: [
      ({ engine }) => (engine ? `El motor ${engine} no está instalado.` : 'El motor no está instalado.'),
      'Instálalo en la página Modelos.',
    ],
    FILES_NOT_PRIVATE: [
      'Otras cuentas de usuario del equipo podrían modificar el programa de este motor, así que no se usa.',
      'Corrige la propiedad y los permisos de acceso de los archivos.',
    ],
    MODEL_NOT_DOWNLOADED: ['Falta un modelo.', 'Instálalo en la página Modelos.'],
    MODEL_DIGEST_MISMATCH: ['El equipo tiene otra versión del modelo.', 'Instala en él la misma versión o elige otro equipo.'],
    INSUFFICIENT_MEMORY: ['El modelo no cabe en la memoria.', 'Elige uno más pequeño u otro equipo.'],
    OPERATION_UNSUPPORTED: ['El motor no puede hacer esto.', 'Elige otro motor.'],
    NO_CAPABLE_WORKER: ['Ningún equipo disponible puede hacer esto ahora.', 'La página Equipos muestra el estado de cada uno.'],
    INPUT_TRANSFER_UNSUPPORTED: ['El programa del equipo es demasiado antiguo para recibir archivos.', 'Actualízalo.'],
    CONSENT_MISSING: ['El equipo no está aprobado.', 'Apruébalo en la página Equipos.'],
    ACCEPT_TIMEOUT: ['El equipo no ha respondido a tiempo.', 'La tarea pasa a otro.'],
    MODEL_LOAD_TIMEOUT: ['El modelo ha tardado demasiado en cargarse.', 'Vuelve a intentarlo cuando esté cargado.'],
    EXECUTION_TIMEOUT: ['Ha tardado más de lo permitido.', 'Usa menos texto a la vez.'],
    PROGRESS_LEASE_EXPIRED: ['El equipo ha dejado de informar del progreso.', 'Consulta su registro.'],
    RESULT_DELIVERY_TIMEOUT: ['El resultado no ha llegado a tiempo.', 'Comprueba la red hasta el equipo.'],
    INPUT_FETCH_TIMEOUT: ['Los datos de entrada no han llegado a tiempo al equipo.', 'Comprueba la red hasta el equipo.'],
    TASK_DEADLINE_EXCEEDED: ['Se ha agotado el tiempo permitido.', 'Permite más tiempo.'],
    INPUT_FETCH_FAILED: ['Los datos de entrada no han llegado al equipo.', 'Comprueba la red hasta el equipo.'],
    INPUT_CORRUPT: ['Los datos de entrada han llegado dañados.', 'Vuelve a enviarlos.'],
    INVALID_RESULT: ['El equipo ha enviado un resultado no válido.', 'La tarea pasa a otro.'],
    RESULT_UPLOAD_FAILED: ['El resultado no ha llegado.', 'Comprueba la red hasta el equipo.'],
    WORKER_FAILED: ['El motor ha fallado en ese equipo.', 'Consulta su registro.'],
    WORKER_REJECTED: ['El equipo no acepta esto, y no se ha podido recurrir a ningún otro.', 'Elige otro equipo.'],
    ENGINE_CRASHED: ['El motor se ha cerrado de forma inesperada.', 'Se inicia de nuevo para la próxima tarea.'],
    ENGINE_HUNG: ['El motor ha dejado de responder y se ha cerrado.', 'Se inicia de nuevo para la próxima tarea.'],
    NON_FINITE_OUTPUT: ['El motor no ha producido un sonido utilizable.', 'Prueba con otra semilla.'],
    WORKER_DISCONNECTED: ['Se ha perdido la conexión con el equipo.', 'Comprueba su red.'],
    WORKER_DRAINING: ['El equipo se está deteniendo.', 'La tarea pasa a otro.'],
    SERVER_RESTART: ['El estudio se ha reiniciado.', 'Vuelve a intentarlo si no continúa por sí solo.'],
    OFFSET_MISMATCH: ['Faltaba una parte del resultado.', 'La tarea se vuelve a intentar.'],
    SIZE_MISMATCH: ['El resultado no tiene el tamaño anunciado.', 'La tarea se vuelve a intentar.'],
    DIGEST_MISMATCH: ['El resultado se ha dañado por el camino.', 'La tarea se vuelve a intentar.'],
    UPLOAD_INCOMPLETE: ['El resultado ha terminado antes de tiempo.', 'La tarea se vuelve a intentar.'],
    UNKNOWN: ['Se ha producido un error inesperado.', 'Los detalles están en el registro.'],
    INTERNAL: ['Lo ha impedido un defecto del estudio.', 'Comunícalo junto con el registro del estudio.'],
    JOB_SET_ASIDE: ['El trabajo se ha apartado; sus datos de entrada se conservan.', 'Vuelve a intentarlo después de una actualización.'],
    RECOGNITION_FAILED: ['La grabación no se ha transcrito.', ''],
    INVALID_TASK_PARAMS: ['Algo en la solicitud no es válido.', 'Corrige lo que indican los detalles.'],
    MODEL_REF_REJECTED: ['El modelo no se puede descargar de este servidor.', 'Elige otro servidor en Ajustes u otro modelo.'],
    RESULT_TOO_LARGE: ['El resultado es demasiado grande.', 'Usa menos a la vez.'],
    ARTIFACT_TOO_LARGE: ['Un archivo supera 1\u00a0GiB.', 'Usa menos a la vez.'],
    INPUT_UNAVAILABLE: ['Los datos de entrada se han eliminado.', 'Vuelve a enviarlos.'],
    CANCELLED: ['Esto se ha cancelado.', ''],
    WORKER_REMOVED: ['El equipo se ha quitado.', 'La tarea pasa a otro.'],
    PINNED_WORKER_EXHAUSTED: ['El equipo elegido ha fallado varias veces.', 'Elige este equipo u otro.'],
    SESSION_EXPIRED: ['La conexión ha caducado.', 'Se restablece por sí sola.'],
    STALE_EPOCH: ['Hay un intento más reciente en curso.', 'Espera su resultado.'],
    STALE_ATTEMPT: ['Hay un intento más reciente en curso.', 'Espera su resultado.'],
    UPGRADE_REQUIRED: ['Las versiones de los dos programas son demasiado distintas.', 'Actualiza la más antigua.'],
    WORKER_REVOKED: ['Este equipo se ha quitado del estudio.', 'Vuelve a unirlo con un código nuevo.'],
    AUTH_FAILED: ['El otro lado no ha podido demostrar su identidad.', 'Vuelve a unirlo con un código nuevo.'],
    INVALID_REQUEST: ['Un dato no es válido.', 'Corrige lo que indican los detalles.'],
    BAD_REQUEST: ['El estudio no puede aceptar esto.', ''],
    NOT_FOUND: ['Esto no existe o ya no existe.', ''],
    MODEL_NOT_FOUND: ['No hay ningún motor con este nombre.', 'Elige otro.'],
    METHOD_NOT_ALLOWED: ['Esta página y el estudio no coinciden.', 'Recarga la página.'],
    FORBIDDEN: ['Esto no está permitido.', ''],
    UNAUTHORIZED: ['No has iniciado sesión.', 'Vuelve a iniciar sesión.'],
    OTHER_LOCAL_USER: [
      'El estudio lo ejecuta otra cuenta de usuario de este equipo.',
      'Inicia sesión con la cuenta que ejecuta el estudio.',
    ],
    PIN_REQUIRED: ['Falta el PIN o no es correcto.', 'El estudio lo muestra en su propio equipo.'],
    TOO_MANY_WRONG_PINS: ['Demasiados PIN incorrectos.', 'Consulta el PIN en el equipo del estudio.'],
    TOO_MANY_WRONG_KEYS: ['Demasiadas claves incorrectas.', 'Comprueba la clave. La correcta funciona de inmediato.'],
    CONFLICT: ['Esto no encaja con el estado actual.', ''],
    IDEMPOTENCY_CONFLICT: ['Esto ya se había enviado con otro contenido.', 'Vuelve a intentarlo.'],
    BODY_TOO_LARGE: [
      ({ limit }) => (limit ? `Es demasiado grande (el límite es ${limit}).` : 'Es demasiado grande.'),
      'Envía un archivo más pequeño o menos texto.',
    ],
    HEADERS_TOO_LARGE: ['El navegador envía demasiadas cookies.', 'Borra las cookies de esta dirección en el navegador.'],
    REQUEST_TIMEOUT: ['Esto ha llegado demasiado despacio.', 'Comprueba la red y vuelve a intentarlo.'],
    QUEUE_FULL: [
      ({ seconds }) =>
        seconds === undefined
          ? 'Hay demasiado en espera.'
          : `Hay demasiado en espera. Se puede volver a intentar dentro de ${seconds}\u00a0s.`,
      'Vuelve a intentarlo más tarde.',
    ],
    STORAGE_FULL: ['El disco del estudio está lleno o no se puede escribir en él.', 'Libera espacio.'],
    LOG_UNREADABLE: ['No se puede leer el registro.', 'Comprueba los permisos de acceso de la carpeta «logs» del estudio.'],
    VIDEO_FETCH_FAILED: [
      'No se ha podido leer el vídeo de esta página.',
      'Actualiza las herramientas multimedia en Ajustes o sube una grabación.',
    ],
    HOST_NOT_FOUND: [
      ({ host }) => (host ? `No se ha encontrado la dirección ${host}.` : 'No se ha encontrado la dirección.'),
      'Compruébala, comprueba también la conexión del estudio a Internet o sube el archivo.',
    ],
    DOWNLOAD_REFUSED: ['Otro servidor ha enviado algo que no se usa.', 'Elige otro elemento.'],
    MEDIA_TYPE_UNSUPPORTED: ['No se aceptan archivos de este tipo.', 'Elige otro archivo.'],
    REMOTE_SERVICE_FAILED: ['Un servicio de la red no ha respondido o ha rechazado esto.', 'Comprueba su dirección y su clave en Ajustes.'],
    LANGUAGE_MODEL_MISSING: [
      'No hay ningún modelo de lenguaje configurado.',
      'Elige un proveedor en Ajustes y activa el uso que lo necesita.',
    ],
    PROGRAM_MISSING: [
      ({ program }) => (program ? `Falta el programa ${program} en el equipo del estudio.` : 'Falta un programa en el equipo del estudio.'),
      'Instálalo.',
    ],
    PROGRAM_FAILED: [
      ({ program }) => (program ? `El programa ${program} no ha funcionado como debería.` : 'Un programa no ha funcionado como debería.'),
      'El registro del estudio indica el motivo.',
    ],
    PROGRAM_KILLED: [
      ({ program }) => `${program ? `El programa ${program}` : 'Un programa'} se ha cerrado desde fuera, a menudo por falta de memoria.`,
      'Libera memoria y vuelve a intentarlo.',
    ],
    NOT_READY: ['El estudio se está iniciando o deteniendo.', 'Vuelve a intentarlo en un momento.'],
    VOICE_UNAVAILABLE: ['La voz no está disponible.', ''],
  },
  settings: {
    'perf.torch_compile_disabled': [
      'Omitir la compilación de grafos',
      'Para motores en Python en Windows cuya primera frase tarda minutos.',
    ],
    'compute.device': ['Tarjeta gráfica', 'Automático usa el dispositivo más rápido de este equipo.'],
    'history.retention': [
      'Tomas que se conservan',
      '0 las conserva todas. Al crear una se eliminan las más antiguas, pero nunca las destacadas.',
    ],
    'dictation.refinement.auto': ['Refinar automáticamente', 'Los textos van al modelo de lenguaje al terminar un dictado.'],
    'dictation.refinement.smart_cleanup': ['Limpiar', 'Quita las muletillas y corrige la puntuación.'],
    'dictation.refinement.self_correction': ['Aplicar correcciones', '«El lunes, no, el martes» pasa a ser «El martes».'],
    'dictation.refinement.preserve_technical': [
      'Conservar los términos técnicos',
      'Los nombres, comandos y código quedan tal como se dijeron.',
    ],
    'dictation.refine_seconds': ['Tiempo para refinar', 'En segundos. Un texto que tarde más se conserva sin cambios.'],
    'voices.most_gigabytes': ['Voces', 'Gigabytes para grabaciones e imágenes. Por encima, se rechazan las nuevas.'],
    'voices.hosted_url': ['Dirección de la biblioteca alojada', 'Vacía si no hay ninguna. Un servidor nuevo elimina la clave.'],
    'voices.hosted_key': ['Clave de la biblioteca alojada', 'Solo se envía a esta biblioteca.'],
    'gallery.most_gigabytes': ['Galería', 'Gigabytes para clips. Por encima, se rechazan los clips nuevos.'],
    'dictation.enabled': ['Dictado', 'Activa o desactiva el texto desde el micrófono.'],
    'dictation.mode': ['Tecla de dictado', 'Púlsala una vez para empezar y otra para terminar, o mantenla pulsada.'],
    'archetypes.download_previews': [
      'Descargar muestras de voces',
      'Las muestras de las voces ofrecidas proceden de quien las publica. Si no, se crean aquí.',
    ],
    'longform.cache_gigabytes': [
      'Caché de audiolibros',
      'Gigabytes para frases generadas. Vacío: 20, o una quinta parte del espacio libre si es menos.',
    ],
    'dubbing.store_gigabytes': [
      'Doblajes',
      'Gigabytes. Por encima, se eliminan los archivos que se pueden volver a crear, empezando por los más antiguos.',
    ],
    'dubbing.ingest_local_network': [
      'Vídeos de la red local',
      'Permite direcciones de tu propia red para los vídeos, y no solo de Internet.',
    ],
    'mcp.enabled': ['Servidor MCP', 'Permite que los asistentes de este equipo usen las voces de este estudio.'],
    pronunciation_enabled: ['Usar el diccionario', 'Se aplica a locuciones, audiolibros y doblajes.'],
    'recognition.expected_languages': [
      'Idiomas esperados',
      'Códigos como es, en. Las grabaciones sin idioma elegido están en uno de estos. Vacío: cualquier idioma.',
    ],
    'watermark.invisible': [
      'Marca inaudible',
      'La voz de este estudio se puede reconocer como sintética, también tras una conversión. Si se desactiva, queda registrado.',
    ],
    'watermark.visible_audio': ['Aviso hablado', 'Se guarda para programas que añaden uno. El estudio no añade ninguno.'],
    'watermark.visible_video': ['Aviso en los vídeos', 'Los vídeos doblados indican que sus voces son sintéticas.'],
    'env.HTTP_PROXY': [
      'Proxy para http',
      'http://servidor:puerto. El estudio y sus descargas lo usan de inmediato. Se guarda cifrado porque puede contener una contraseña.',
    ],
    'env.HTTPS_PROXY': [
      'Proxy para https',
      'http://servidor:puerto. El estudio y sus descargas lo usan de inmediato. Se guarda cifrado porque puede contener una contraseña.',
    ],
    'env.ALL_PROXY': [
      'Proxy para todo lo demás',
      'http://servidor:puerto. El estudio y sus descargas lo usan de inmediato. Se guarda cifrado porque puede contener una contraseña.',
    ],
    'env.GOOGLE_TRANSLATE_API_KEY': [
      'Clave de Google Translate',
      'Para traducir con este servicio. Se guarda cifrada y no se muestra nunca.',
    ],
    'env.DEEPL_API_KEY': ['Clave de DeepL', 'Para traducir con este servicio. Se guarda cifrada y no se muestra nunca.'],
    'env.MICROSOFT_API_KEY': ['Clave de Microsoft Translator', 'Para traducir con este servicio. Se guarda cifrada y no se muestra nunca.'],
    'env.MICROSOFT_REGION': ['Región de Microsoft Translator', 'La región de la clave, por ejemplo westeurope.'],
    'env.MYMEMORY_EMAIL': ['Correo electrónico de MyMemory', 'Aumenta el límite diario de este servicio, que recibe la dirección.'],
    'env.VOICESTUDIO_PORT': ['Puerto del estudio', 'El número de un puerto que no use ningún otro programa.'],
    'env.VOICESTUDIO_SHARE_PORT': ['Puerto para otros dispositivos', 'El número de un puerto que no use ningún otro programa.'],
    'llm.skill.dub_translation.enabled': ['Traducir doblajes', 'Las líneas de un vídeo, con las que las rodean como contexto.'],
    'llm.skill.cinematic_translation.enabled': [
      'Reescribir traducciones para que suenen habladas',
      'Una segunda pasada para doblajes con la calidad Cinematic.',
    ],
    'llm.skill.slot_fitting.enabled': [
      'Acortar las líneas demasiado largas',
      'Las líneas que habría que decir demasiado deprisa se escriben más cortas.',
    ],
    'llm.skill.glossary_extract.enabled': ['Sugerir un glosario', 'Los nombres y términos de un vídeo y cómo traducirlos.'],
    'llm.skill.direction_parse.enabled': [
      'Entender indicaciones para una línea',
      '«En un susurro, luego más alto» se convierte en ajustes de la voz.',
    ],
    'llm.skill.dictation_refinement.enabled': ['Pulir el texto dictado', 'Según lo indicado en Dictado.'],
  },
  checks: {
    deep_synth: 'Síntesis completa (se locuta una frase de prueba)',
    network: 'Servidor de modelos',
    device: 'Dispositivo',
    ffmpeg: 'ffmpeg',
    hf_token: 'Token del repositorio de modelos',
    data_dir: 'Carpeta de datos',
    engines: 'Motores',
    disk: 'Espacio libre en el disco',
    ram: 'Memoria',
    gpu_routing: 'Dispositivo del motor',
    os: 'Sistema operativo',
    python: 'Python',
    hf_cache_writable: 'Carpeta de modelos',
    gpu: 'Tarjeta gráfica',
  },
  sentences: {
    'No connected machine has the model of {engine} that this dub began with. It continues when one does.':
      'Ningún equipo conectado tiene el modelo de {engine} con el que empezó este doblaje. Continuará en cuanto alguno lo tenga.',
    'Using the voice {voice}, because the model of the Voice Studio engine is not installed.':
      'Se usa la voz {voice} porque el modelo del motor de Voice Studio no está instalado.',
    'Using {engine}, because the model of {wanted} is not installed.': 'Se usa {engine} porque el modelo de {wanted} no está instalado.',
    'Using {engine}, because no model of {wanted} for {language} is installed.':
      'Se usa {engine} porque no hay ningún modelo de {wanted} instalado para {language}.',
    'None that the engines of this machine can use.': 'Ninguna que puedan usar los motores de este equipo.',
    'Small models run fast without one, large models run slowly. You can borrow a machine that has one.':
      'Sin ella, los modelos pequeños van rápido y los grandes, despacio. Puedes tomar prestado un equipo que tenga una.',
    'This machine has a GPU, so large models run fast enough.':
      'Este equipo tiene una GPU, así que los modelos grandes van lo bastante rápido.',
    'These models run fast on a CPU.': 'Estos modelos van rápido en una CPU.',
    '{engine} runs on {device}.': '{engine} se ejecuta en {device}.',
    'The local agent is not connected yet.': 'El agente local aún no está conectado.',
    'The free space is unknown.': 'No se conoce el espacio libre.',
    '{size} free': '{size} libres',
    'The studio was not tested on this system.': 'El estudio no se ha probado en este sistema.',
    '{server} answers.': '{server} responde.',
    '{server} does not answer.': '{server} no responde.',
    'Installed models work without it. To install others, connect this machine to the internet or choose a mirror in the settings.':
      'Los modelos instalados funcionan sin él. Para instalar otros, conecta este equipo a Internet o elige un servidor espejo en Ajustes.',
    'Installed models work without it. Check the connection, the proxy or the mirror in the settings.':
      'Los modelos instalados funcionan sin él. Comprueba la conexión, el proxy o el servidor espejo en Ajustes.',
    'Set.': 'Definido.',
    'Not set.': 'Sin definir.',
    'Only models that require an account need it. Add it in the settings.':
      'Solo lo necesitan los modelos que requieren una cuenta. Añádelo en Ajustes.',
    'Free some space. Models and recordings need more than 5 GB.':
      'Libera espacio. Los modelos y las grabaciones necesitan más de 5\u00a0GB.',
    'Free some space, or correct the owner and the access rights of the folder.':
      'Libera espacio o corrige la propiedad y los permisos de acceso de la carpeta.',
    'Close other programs, unload models, or choose a smaller model.':
      'Cierra otros programas, quita modelos de la memoria o elige un modelo más pequeño.',
    'Choose another engine or machine, or check the driver.': 'Elige otro motor u otro equipo, o comprueba el controlador.',
    'The engines of this machine are starting. Try again in a moment.':
      'Los motores de este equipo se están iniciando. Vuelve a intentarlo en un momento.',
    'A model is being loaded or checked at the moment.': 'En este momento se está cargando o comprobando un modelo.',
    'The file is a manuscript: its headings and tags were kept as they are.':
      'El archivo es un manuscrito: sus encabezados y etiquetas se han conservado tal como están.',
    'This chapter is switched off.': 'Este capítulo está desactivado.',
    'A title without text is no chapter.': 'Un título sin texto no es un capítulo.',
    'This voice does not follow instructions or descriptions.': 'Esta voz no sigue instrucciones ni descripciones.',
    'The reference recording was used instead of the named voice.': 'Se ha usado la grabación de referencia en lugar de la voz indicada.',
    'The reference is longer than 20 seconds; 3 to 10 seconds are faster and sound better.':
      'La referencia dura más de 20\u00a0segundos; con 3 a 10\u00a0segundos es más rápido y suena mejor.',
    'The reference has no transcript. A transcript (ref_text) makes the voice more similar.':
      'La referencia no tiene transcripción. Con una transcripción (ref_text), la voz se parece más.',
    'The text cannot be spoken in the requested duration; the nearest possible duration was used.':
      'El texto no se puede decir en la duración solicitada; se ha usado la duración posible más cercana.',
    'This model does not compute the times of words.': 'Este modelo no calcula los tiempos de las palabras.',
    'No speech was found in the recording.': 'No se ha encontrado voz en la grabación.',
    'The weights of lower precision failed; full precision was used.':
      'Los pesos de menor precisión han fallado; se ha usado la precisión completa.',
    'This model produces stereo; both channels were mixed to mono.':
      'Este modelo produce sonido estéreo; los dos canales se han mezclado en mono.',
  },
}
