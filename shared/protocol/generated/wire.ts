// Generated from proto/ by `./studio docs`.

/** A message without fields. */
export type Empty = Record<string, never>
/**
 * The chosen field of a oneof beside its name (`step: 'header'`). The encoder ignores the name; the types require it, so that one type serves
 * both directions.
 */
type OneOf<Name extends string, Choices> = { [K in keyof Choices]: Record<Name, K> & Pick<Choices, K> }[keyof Choices]
/** A method. `streams`: which sides send many messages. A reply of type void is an empty message. */
type Rpc<Streams extends 'none' | 'reply' | 'both', Request, Reply> = { streams: Streams; request: Request; reply: Reply }

/** A message by its name. */
export type Wire<Name extends keyof WireMessages> = WireMessages[Name]
/** The messages of both services, as their decoders return them and their encoders take them. */
export type WireMessages = {
  DescribeRequest: {
    /** version of the calling program */
    studio_version: string
    /** optional behaviours that the studio supports */
    features: string[]
  }
  Description: {
    agent_version: string
    /** optional behaviours that the agent supports */
    features: string[]
    host?: Wire<'Host'> | null
    capabilities: Wire<'Capability'>[]
    /** raised with every renewed certificate; reveals two machines with one key */
    generation: number
    /** version of this file's meaning, 1 for now */
    protocol: number
    /** random per run of the program; reveals two running programs with one key */
    instance: string
    /** counts the changes of models and measured engines; a snapshot with another number asks for a new description */
    inventory: number
    /** set by a pool, which places the work on machines of its own; absent for a single machine */
    pool?: Wire<'Pool'> | null
  }
  /**
   * A pool as its operator declares it, and the machines behind it. A studio asks for approval again when the operator, the places or
   * `reads_inputs` change; a change of machines is only shown.
   */
  Pool: {
    name: string
    /** person or organisation */
    operator: string
    /** e-mail or web address, as text; empty for none */
    contact: string
    /** countries or sites of its machines */
    places: string[]
    /** true if the operator can read texts and recordings while they are worked on */
    reads_inputs: boolean
    /** kept after a job, as the operator declares it; empty for nothing */
    keeps: string
    machines: Wire<'PoolMachine'>[]
  }
  PoolMachine: {
    name: string
    /** empty for none */
    gpu: string
    /** agent version */
    version: string
    /** ready, busy, draining, offline */
    state: string
    /** concurrent attempts; 0 while it is offline */
    permits: number
    /** attempts that it holds */
    busy: number
  }
  /** Use of a pool, for one studio. Figures of others are sums. */
  PoolUse: {
    /** attempts of this studio that run */
    own: number
    /** attempts of other studios that run */
    others: number
    /** permits that are free */
    free: number
    /** studios with running attempts */
    studios: number
    /** median wait of the last attempts of this studio before they ran */
    wait_ms: number
  }
  Host: {
    hostname: string
    /** linux, darwin, win32 */
    os: string
    /** x64, arm64 */
    arch: string
    /** logical cores */
    cpu_count: number
    /** main memory, total */
    memory_bytes: number
    /** that engines can use; empty on a machine without one */
    gpus: Wire<'Gpu'>[]
    /** present, but no engine can use them; older agents send none */
    unusable_gpus: Wire<'UnusableGpu'>[]
  }
  UnusableGpu: {
    /** name from its driver */
    model: string
    /** cause of a failed trial, the end of a sentence */
    reason: string
    /** cause for programs, such as driver-old; empty from older agents */
    code: string
    /** action of the owner, whole sentences; empty from older agents */
    fix: string
  }
  Gpu: {
    /** nvidia, amd, apple, intel */
    vendor: string
    /** name from its driver */
    model: string
    /** cuda, rocm, metal, vulkan */
    backend: string
    /** total */
    memory_bytes: number
    /** when the description was made */
    free_memory_bytes: number
    driver_version: string
    /** CUDA only, as "9.0"; else empty */
    compute_capability: string
  }
  /** One operation of one model of one engine on this machine. */
  Capability: {
    engine: string
    model: string
    /** speak, transcribe, ... */
    operation: string
    /** the implementation that runs */
    implementation: string
    /** empty for the named engine itself; otherwise why a substitute runs */
    stands_in: string
    /** BCP 47 tags */
    languages: string[]
    /** built-in voices */
    voices: Wire<'Voice'>[]
    /** accepts a reference recording */
    cloning: boolean
    /** the engine can run on this machine */
    supported: boolean
    /** the engine is installed */
    installed: boolean
    /** the model's files are installed */
    downloaded: boolean
    /** cpu, cuda:0, ... */
    device: string
    /** Hz of its audio; 0 without audio */
    sample_rate: number
    /** concurrent attempts */
    permits: number
    /** SHA-256 of the model's files, lower-case hex; empty when not downloaded */
    model_digest: string
    /** memory needed to load the model; 0 when unknown */
    memory_bytes: number
    /** recognition accepts the parameter partial; older agents refuse it */
    continues: boolean
    /** alphabet of pronunciations in a text: ipa, cmu; empty for none and on older agents */
    phones: string
    /** ISO 15924: words with letters of other scripts are left out; empty for none left out, and on older agents */
    scripts: string[]
    /** recognition accepts the parameter stream: its text is its output as well; older agents refuse it */
    streams: boolean
  }
  Voice: {
    id: string
    /** for people */
    name: string
    /** BCP 47 tag */
    language: string
    /**
     * Tags of the languages in which it speaks when a task names no voice; `*` for all, empty for a task without a language. None from an
     * older agent, whose default voice is then unknown.
     */
    default_for: string[]
  }
  WatchRequest: {
    /** requested interval; 0 leaves it to the agent */
    interval_ms: number
  }
  Snapshot: {
    /** every attempt that the agent holds */
    held: Wire<'Held'>[]
    /** loaded now, as engine:model */
    resident_models: string[]
    /** free memory of the computing device; 0 when unknown */
    free_memory_bytes: number
    draining: boolean
    /** number of snapshots since the agent started */
    beat: number
    /** free disk of the agent's work folder; 0 when unknown, 1 when full */
    free_disk_bytes: number
    /** same as in the description */
    inventory: number
    /** the receiver asked for the drain; false from an older agent, whose reason is then unknown */
    drain_requested: boolean
    /** set by a pool */
    pool?: Wire<'PoolUse'> | null
  }
  /** An attempt that runs, or has ended and is not committed. */
  Held: {
    attempt_id: string
    task_id: string
    epoch: number
    /** loading, running, completed, failed */
    phase: string
    /** number of this attempt's newest event; 0 when it has none */
    last_seq: number
  }
  RunInput: OneOf<
    'step',
    {
      /** first, once */
      header: Wire<'RunHeader'>
      /** stops the work; a broken link does not */
      cancel: Empty
      /** the studio has stored every event so far */
      commit: Empty
      /** only after the agent requested it */
      input: Wire<'InputChunk'>
      /** first, once, instead of a header */
      resume: Wire<'RunResume'>
    }
  >
  /** Continues a run of the exchange of the same link that its agent asked to move. */
  RunResume: {
    run: number
  }
  /** Frames are processed in order. */
  ExchangeInput: {
    /** at most 256 */
    frames: Wire<'InputFrame'>[]
  }
  InputFrame: {
    /** chosen by the studio for each header, and never reused over the same link; stands for the attempt and epoch of the header */
    run: number
  } & OneOf<
    'step',
    {
      /** first, once; without inputs */
      header: Wire<'RunHeader'>
      /** same as in RunInput */
      cancel: Empty
      /** same as in RunInput */
      commit: Empty
      /** no further inputs; outputs still arrive */
      end: Empty
      /** the studio no longer reads the run; the work continues */
      drop: Empty
    }
  >
  ExchangeOutput: {
    /** at most 256 */
    frames: Wire<'OutputFrame'>[]
  }
  OutputFrame: {
    run: number
  } & OneOf<
    'step',
    {
      output: Wire<'RunOutput'>
      /** the next outputs exceed 32 KiB: they follow on a Run call that resumes this run */
      move: Empty
      /** the last frame of the run */
      end: Wire<'RunEnding'>
    }
  >
  RunEnding: {
    /** code from the failure table; empty without a failure */
    code: string
    message: string
    /** detail of the failure, a word or empty */
    reason: string
  }
  /** The next bytes of an input, in the order of the header, without gaps, from the requested offset on. */
  InputChunk: {
    name: string
    /** bytes of this input before the payload */
    offset: number
    /** at most 256 KiB */
    payload: Uint8Array
  }
  /** An input of a task, such as a recording. */
  InputRef: {
    /** audio, reference, ... */
    name: string
    /** bytes, at most 64 MiB */
    size: number
    /** digest of the whole input */
    sha256: Uint8Array
  }
  /** Position at which the inputs continue: the agent may hold a part of them from before a link broke. */
  InputWant: {
    name: string
    offset: number
  }
  RunHeader: {
    task_id: string
    attempt_id: string
    /** epoch of the task; a stale one is an error */
    epoch: number
    engine: string
    model: string
    operation: string
    /** SHA-256, lower-case hex; empty accepts any installed version */
    model_digest: string
    /** UTF-8 JSON, validated for the operation */
    params_json: Uint8Array
    /** the consent for this text or audio */
    consent_id: string
    /** milliseconds left when the header was written */
    deadline_ms_left: number
    /** on attach, the newest event that the studio has; 0 from the start */
    from_seq: number
    /** W3C trace context, or empty */
    traceparent: string
    /** at most 8; only for agents with the feature `inputs` */
    inputs: Wire<'InputRef'>[]
    /** 0 for a person who waits, 1 for a batch; used by pools */
    priority: number
    /** characters of text or seconds of a recording; 0 when unknown; used by pools */
    size: number
  }
  RunOutput: {
    /** in order of seq */
    events: Wire<'Event'>[]
    /** send the inputs from here on; at most once per call, absent when the agent holds them all */
    wanted?: Wire<'InputWant'> | null
  }
  Event: {
    /** 1, 2, 3, ... per attempt; keepalives carry the seq of the event before them */
    seq: number
  } & OneOf<
    'fact',
    {
      accepted: Empty
      declined: Wire<'Declined'>
      loading: Wire<'Loading'>
      running: Wire<'Running'>
      progress: Wire<'Progress'>
      output: Wire<'Output'>
      completed: Wire<'Completed'>
      failed: Wire<'Failed'>
    }
  >
  Running: {
    /** the machine of a pool that runs the attempt; empty for the machine itself */
    machine: string
  }
  Declined: {
    /** code from the failure table */
    code: string
    message: string
  }
  Loading: {
    /** 0 to 1 */
    progress: number
    /** for people */
    detail: string
  }
  Progress: {
    /** 0 to 1 */
    progress: number
    /** for people */
    stage: string
    /** no news, the work continues */
    keepalive: boolean
  }
  Output: {
    /** index of the output, from 0 */
    part: number
    /** bytes of this part before the payload */
    offset: number
    /** at most 256 KiB */
    payload: Uint8Array
  }
  Completed: {
    /** UTF-8 JSON: the result of the operation besides its output bytes */
    result_json: Uint8Array
    /** digest of all payloads in the order of their seq */
    sha256: Uint8Array
    /** bytes of all payloads */
    size: number
  }
  Failed: {
    /** code from the failure table */
    code: string
    message: string
  }
  CommitRequest: {
    verdicts: Wire<'Verdict'>[]
  }
  Verdict: {
    attempt_id: string
    epoch: number
    /** true: stored by the studio; false: refused. Either way the agent deletes it */
    committed: boolean
  }
  ConsentRequest: {
    /** empty withdraws: every attempt is cancelled and wiped */
    consent_id: string
  }
  ForgetVoicesRequest: {
    /** digests of the recordings, as in InputRef; at most 256 */
    sha256: Uint8Array[]
  }
  DrainRequest: {
    /** false accepts new work again */
    drain: boolean
    /** milliseconds left for running attempts; 0 for no limit */
    deadline_ms: number
  }
  DrainReply: {
    /** attempts still running or not committed */
    held: number
  }
  UnloadRequest: {
    /** id of an engine; empty for every idle engine */
    engine: string
  }
  UnloadReply: {
    /** engines whose process has ended */
    unloaded: string[]
    /** reason why a requested engine is still loaded; empty otherwise */
    reason: string
  }
  LogsRequest: {
    /** number of existing lines, at most 1000; oldest first */
    last: number
    /** then every new one, until the caller ends the call */
    follow: boolean
  }
  LogLine: {
    /** epoch milliseconds on the agent's clock; 0 for a line about the log itself */
    at: number
    /** debug, info, warn, error */
    level: string
    /** at most 2000 characters */
    message: string
    /** a JSON object of at most 8192 characters */
    fields_json: string
  }
  InventoryReply: {
    /** one row per model of the agent's catalogue, and one per model that its owner added */
    models: Wire<'StoredModel'>[]
  }
  StoredModel: {
    /** id in the catalogue */
    id: string
    /** runs on this operating system */
    supported: boolean
    /** all files are present and verified */
    installed: boolean
    /** some files are present */
    incomplete: boolean
    /** being installed or waiting for it */
    installing: boolean
    /** on the disk */
    size_bytes: number
    files: number
    /** facts about a model that the machine's owner added from files; absent for one of the catalogue, and from an older agent */
    own?: Wire<'OwnModel'> | null
  }
  OwnModel: {
    /** for people */
    label: string
    /** TTS or ASR */
    role: string
    engine: string
    /** its name in tasks */
    model: string
  }
  ModelRequest: {
    /** id in the catalogue or of a model that the owner added, never a path or an address */
    id: string
  }
  PutFileRequest: {
    /** 32 hex digits, chosen by the studio; a new one replaces the one before it */
    addition: string
    /** position of the file; files come in order, at most 500 */
    index: number
    /** name of the file with its folders; at most 1000 characters */
    name: string
    /** bytes of this file before the payload; they come in order */
    offset: number
    /** at most 256 KiB */
    payload: Uint8Array
    /** bytes of all files of the addition */
    total: number
    /** the consent in force */
    consent_id: string
  }
  AddModelRequest: {
    /** folder of the files; the machine's own studio has put them into the folder of this name */
    addition: string
    /** empty: as the files are called */
    name: string
    /** empty: the one that the files are for */
    engine: string
    /** the consent in force */
    consent_id: string
  }
  InstallRequest: {
    /** id in the catalogue */
    id: string
    /** the consent in force */
    consent_id: string
    /** begins before the caller's other waiting installations; only for agents with the feature `install-next` */
    next: boolean
  }
  InstallEvent: {
    /** install_start, resolving, install_plan, start, progress, done, aggregate, install_retry, install_done, install_error, install_cancelled */
    phase: string
    /** file of start, progress and done */
    file: string
    /** bytes of the file, or of all files */
    downloaded: number
    /** bytes as downloaded */
    total: number
    /** bytes per second; 0 when unknown */
    rate: number
    /** 0 when unknown */
    eta_seconds: number
    /** finished files of aggregate; in install_plan the present files */
    files_done: number
    files_total: number
    /** bytes of install_plan that need no download */
    cached: number
    /** failed attempt of install_retry */
    attempt: number
    /** code of install_error, from the failure table */
    code: string
    /** for people */
    message: string
  }
  StopInstallReply: {
    /** false when there was none */
    stopped: boolean
  }
  RemoveModelReply: {
    freed_bytes: number
  }
  RedeemRequest: {
    token_id: string
    secret: string
    /** PKCS #10, signed by its own key */
    csr_pem: string
    /** display name of the machine */
    name: string
    hostname: string
    os: string
    arch: string
    agent_version: string
    /** version of the agent protocol, 1 for now */
    protocol: number
  }
  RenewRequest: {
    worker_id: string
    /** signed by the bound key as proof of possession */
    csr_pem: string
    /** generation of the caller's identity; one older than the studio's reveals a copied disk */
    generation: number
    /** stored by the caller before the call: the same one again means that the answer was lost */
    nonce: string
  }
  Identity: {
    worker_id: string
    certificate_pem: string
    /** the only trust roots from now on: the issuer of the certificate, then the next authority */
    authority_pem: string
    /** keys of the studio: SHA-256 of the SPKI, lower-case hex */
    studio_pins: string[]
    /** for people */
    studio_name: string
    generation: number
    /** HOST:PORT of the studio, best first; none: those that the machine knows stay */
    endpoints: string[]
  }
}

/** The methods of the service Agent. */
export type AgentRpcs = {
  /** Describes the machine and its capabilities. Called once per link, and again after `inventory` changed. */
  describe: Rpc<'none', Wire<'DescribeRequest'>, Wire<'Description'>>
  /** Absolute snapshots at a steady interval. A slow reader misses snapshots but never gets stale ones. */
  watch: Rpc<'reply', Wire<'WatchRequest'>, Wire<'Snapshot'>>
  /** One attempt. The header starts it, or attaches to it when the agent already holds the attempt id. */
  run: Rpc<'both', Wire<'RunInput'>, Wire<'RunOutput'>>
  /**
   * Many attempts over one call that lasts as long as the link: a frame of this call replaces a call per attempt. At most one per link, and
   * only for agents with the feature `exchange`. Each run may send 32 KiB here; then the agent asks the studio to `move` it to a Run call.
   */
  exchange: Rpc<'both', Wire<'ExchangeInput'>, Wire<'ExchangeOutput'>>
  /** The studio has stored or refused the results: the agent deletes the attempts. */
  commit: Rpc<'none', Wire<'CommitRequest'>, void>
  /** Grants or withdraws the consent to send text or audio to this machine. */
  consent: Rpc<'none', Wire<'ConsentRequest'>, void>
  /**
   * Deletes kept recordings and what was derived from them, and cancels the attempts that have one of them. Needs no consent. Only for agents
   * with the feature `forget-voices`; an older one forgets voices when its engines are unloaded.
   */
  forgetVoices: Rpc<'none', Wire<'ForgetVoicesRequest'>, void>
  /** Stops or resumes accepting new work. */
  drain: Rpc<'none', Wire<'DrainRequest'>, Wire<'DrainReply'>>
  /** Renews the certificate now instead of at half of its lifetime, to trust a new authority. */
  rotate: Rpc<'none', Empty, void>
  /** Ends the idle process of an engine to free its memory. Never interrupts running work. */
  unload: Rpc<'none', Wire<'UnloadRequest'>, Wire<'UnloadReply'>>
  /** The part of the agent's log that the caller may read: no text, no audio, no secret. Needs no consent. */
  logs: Rpc<'reply', Wire<'LogsRequest'>, Wire<'LogLine'>>
  /** The state of every model of the agent's catalogue. Needs no consent. */
  inventory: Rpc<'none', Empty, Wire<'InventoryReply'>>
  /**
   * Installs a model of the agent's catalogue and reports progress; the last event reports how it ended. The installation continues when the
   * call ends, and a second call for the same model subscribes to the first. Needs the consent in force.
   */
  install: Rpc<'reply', Wire<'InstallRequest'>, Wire<'InstallEvent'>>
  stopInstall: Rpc<'none', Wire<'ModelRequest'>, Wire<'StopInstallReply'>>
  /** Deletes a model that this caller installed. */
  removeModel: Rpc<'none', Wire<'ModelRequest'>, Wire<'RemoveModelReply'>>
  /**
   * Takes bytes of a file of a model, if the owner of the machine allows it. The studio of the agent's own machine puts the files into the folder of the
   * models itself. Only for agents with the feature `own-files`. Needs the consent in force.
   */
  putFile: Rpc<'none', Wire<'PutFileRequest'>, void>
  /** Makes a model of these files. The last event reports how it ended; its field `file` is then the id of the model. Needs the consent in force. */
  addModel: Rpc<'reply', Wire<'AddModelRequest'>, Wire<'InstallEvent'>>
}

/** The methods of the service Enrolment. */
export type EnrolmentRpcs = {
  /** Exchanges the secret of a join code for a certificate, once. */
  redeem: Rpc<'none', Wire<'RedeemRequest'>, Wire<'Identity'>>
  /** Issues a new certificate for a key that is bound to a worker, at any age of the old one. */
  renew: Rpc<'none', Wire<'RenewRequest'>, Wire<'Identity'>>
}
