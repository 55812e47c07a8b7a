import type { SpanExporter, SpanProcessor } from "@opentelemetry/sdk-trace-base";
import { GpuchainError } from "./errors.ts";
import { redactUrlsIn } from "./redact.ts";

/** Where a daemon's traces and errors go, both optional: nothing is loaded, kept or sent for what is not set. */
export interface ObserverSettings {
  /** `gpuchain-node`, `gpuchain-verifier` */
  readonly service: string;
  /** OpenTelemetry collector, OTLP over HTTP: `http://host:4318/v1/traces` */
  readonly otlp?: string | undefined;
  /** Sentry project to which errors are reported */
  readonly sentryDsn?: string | undefined;
  /** names this daemon among others of its kind: its address */
  readonly instance?: string;
}

export type SpanFields = Readonly<Record<string, string | number | boolean | undefined>>;

export interface Observer {
  /** Runs work as a span; a failure marks the span and is passed on. */
  span<T>(name: string, fields: SpanFields, work: () => Promise<T>): Promise<T>;
  /** A span that is over already: it ended now and took this long. */
  took(name: string, fields: SpanFields, ms: number, failure?: string): void;
  /** Reports an error with what was being done. */
  error(error: unknown, fields?: SpanFields): void;
  /** Sends what is still here. */
  close(): Promise<void>;
}

const CLOSE_MS = 2_000;

/**
 * Opens traces (OpenTelemetry) and error reports (Sentry) as far as they are configured. Both packages are the daemon's own
 * dependencies and are loaded only here.
 *
 * @throws GpuchainError `OBSERVER_UNAVAILABLE` when a configured one cannot be loaded
 */
export async function openObserver(settings: ObserverSettings): Promise<Observer> {
  const tracing = settings.otlp === undefined ? undefined : await load("OpenTelemetry", () => openTracing(settings));
  const reports = settings.sentryDsn === undefined ? undefined : await load("Sentry", () => openReports(settings));
  return {
    async span(name, fields, work) {
      const began = performance.now();
      try {
        const result = await work();
        tracing?.took(name, fields, performance.now() - began);
        return result;
      } catch (error) {
        tracing?.took(name, fields, performance.now() - began, error instanceof Error ? error.message : String(error));
        throw error;
      }
    },
    took: (name, fields, ms, failure) => tracing?.took(name, fields, ms, failure),
    error: (error, fields = {}) => reports?.error(error, fields),
    async close() {
      await Promise.all([tracing?.close(), reports?.close()]);
    },
  };
}

async function load<T>(what: string, open: () => Promise<T>): Promise<T> {
  try {
    return await open();
  } catch (cause) {
    throw new GpuchainError("OBSERVER_UNAVAILABLE", `${what} is configured and cannot be loaded`, {
      hint: "run npm install again, or leave the setting out",
      cause,
    });
  }
}

async function openTracing({ service, otlp, instance }: ObserverSettings) {
  const [api, { BasicTracerProvider, BatchSpanProcessor }, { OTLPTraceExporter }, { resourceFromAttributes }] =
    await Promise.all([
      import("@opentelemetry/api"),
      import("@opentelemetry/sdk-trace-base"),
      import("@opentelemetry/exporter-trace-otlp-http"),
      import("@opentelemetry/resources"),
    ]);
  const exporter: SpanExporter = new OTLPTraceExporter({ ...(otlp ? { url: otlp } : {}), timeoutMillis: 5_000 });
  const processor: SpanProcessor = new BatchSpanProcessor(exporter, { scheduledDelayMillis: 2_000 });
  const provider = new BasicTracerProvider({
    resource: resourceFromAttributes({
      "service.name": service,
      ...(instance === undefined ? {} : { "service.instance.id": instance }),
    }),
    spanProcessors: [processor],
  });
  const tracer = provider.getTracer("gpuchain");
  return {
    took(name: string, fields: SpanFields, ms: number, failure?: string): void {
      const now = Date.now();
      const span = tracer.startSpan(name, { startTime: now - ms, attributes: prefixed(fields) });
      if (failure !== undefined) span.setStatus({ code: api.SpanStatusCode.ERROR, message: redactUrlsIn(failure) });
      span.end(now);
    },
    // A collector that is away must not keep a daemon from stopping.
    close: () => within(CLOSE_MS, provider.shutdown()),
  };
}

async function openReports({ service, sentryDsn, instance }: ObserverSettings) {
  const sentry = await import("@sentry/node");
  sentry.init({
    ...(sentryDsn ? { dsn: sentryDsn } : {}),
    serverName: instance ?? service,
    // Errors that are handed over, and nothing that it could find by itself: no requests, no console, no environment.
    defaultIntegrations: false,
    initialScope: { tags: { service } },
  });
  return {
    error: (error: unknown, fields: SpanFields) =>
      void sentry.captureException(withoutCredentials(error), { tags: prefixed(fields) }),
    close: () => within(CLOSE_MS, sentry.close(CLOSE_MS)),
  };
}

/** The same error as far as a report needs it; addresses with credentials do not leave this machine. */
function withoutCredentials(error: unknown): Error {
  const known = error instanceof Error ? error : new Error(String(error));
  const clean = new Error(redactUrlsIn(known.message));
  clean.name = known.name;
  if (known.stack !== undefined) clean.stack = redactUrlsIn(known.stack);
  return clean;
}

const prefixed = (fields: SpanFields): Record<string, string | number | boolean> =>
  Object.fromEntries(
    Object.entries(fields).flatMap(([name, value]) => (value === undefined ? [] : [[`gpuchain.${name}`, value]])),
  );

async function within(ms: number, work: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const patience = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms);
  });
  await Promise.race([work.catch(() => undefined), patience]);
  clearTimeout(timer);
}
