// Gauges of other rooms, which are read at a scrape.
import type { Registry } from 'prom-client'
import Gauge from 'prom-client/lib/gauge.js'

/** A gauge that is read at a scrape. A label comes from a closed set, or names a machine. Without rows the gauge has no value. */
export type GaugeSource<L extends string = string> = {
  readonly name: `studio_${string}`
  readonly help: string
  readonly labels: readonly L[]
  /** Must not reject, and must end soon. */
  readonly read: () => GaugeRows<L> | Promise<GaugeRows<L>>
}
export type GaugeRows<L extends string = string> = readonly (readonly [labels: Readonly<Record<L, string>>, value: number])[]

/** Adds gauges to the registry. */
export const gaugesOf =
  (registry: Registry) =>
  <L extends string>({ name, help, labels, read }: GaugeSource<L>): void => {
    new Gauge({
      ...{ name, help, labelNames: labels, registers: [registry] },
      async collect() {
        const rows = await read()
        this.reset()
        for (const [each, value] of rows) this.set(each, value)
      },
    })
  }
