import { RouterProvider } from "@tanstack/react-router";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { createEventStore } from "./chain/eventStore.ts";
import { createHeadStore } from "./chain/headStore.ts";
import { openOnce } from "./chain/openOnce.ts";
import { EventContext } from "./chain/useEvents.ts";
import { HeadContext } from "./chain/useHead.ts";
import { ConfigContext } from "./config/ConfigContext.ts";
import { loadConfig, OFFLINE, type SiteConfig } from "./config/config.ts";
import { createAppRouter } from "./router.tsx";
import "./styles/index.css";

const container = document.getElementById("root");
if (!container) throw new Error("index.html has no #root");
const root = createRoot(container);

function start(config: SiteConfig, problem?: string) {
  const router = createAppRouter();
  const head = createHeadStore(config);
  const events = createEventStore(config, () => openOnce(config, head.get().rpc));
  root.render(
    <StrictMode>
      <ConfigContext value={config}>
        <HeadContext value={head}>
          <EventContext value={events}>
            {problem && <p className="banner bad">{problem} Recordings still work.</p>}
            <RouterProvider router={router} />
          </EventContext>
        </HeadContext>
      </ConfigContext>
    </StrictMode>,
  );
}

loadConfig().then(
  (config) => start(config),
  (error: unknown) => start(OFFLINE, error instanceof Error ? error.message : String(error)),
);
