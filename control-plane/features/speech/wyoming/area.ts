import { defineArea } from '#control-plane/kernel/define.ts'

declare module '#control-plane/kernel/define.ts' {
  interface AreaApis {
    readonly wyoming: null
  }
}

/** Speech and recognition for Home Assistant, on a port of its own. Off without STUDIO_WYOMING_PORT, and loaded only with it. */
export const wyomingArea = defineArea({
  name: 'wyoming',
  needs: ['engines', 'recognition', 'speech', 'profiles'],
  open: (
    { settings: { wyoming, serverMode }, offered, uploadDisk, version, clock, log },
    { engines, recognition, speech, profiles: voices },
  ) => {
    let close = async () => {}
    const service = {
      name: 'wyoming',
      async start() {
        if (!wyoming) return
        const { openWyoming } = await import('./server.ts')
        const settings = { wyoming, serverMode }
        close = await openWyoming({ settings, engines, recognition, speech, voices, offered, uploadDisk, version, clock, log })
      },
      stop: () => close(),
    }
    return { routes: [], api: null, services: [service] }
  },
})
