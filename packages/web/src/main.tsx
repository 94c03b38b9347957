import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { App } from "./app.tsx";
import { notifyOf } from "./inbox/notifications.ts";
import { Drover, DroverProvider } from "./state/drover.ts";
import { goToLogin } from "./transport/http.ts";
import { loginKey } from "./transport/login-key.ts";
import { fetchViews } from "./ui/lazily.ts";
import { measureScrollBar } from "./ui/scroll-bar.ts";
// All styles load with the page, so that no view appears unstyled.
import "./docs/docs.css";
import "./transcript/transcript.css";
import "./session/session.css";
import "./styles/index.css";

// The server let us in with the cookie alone, but every request also needs the key.
if (loginKey() === undefined) goToLogin();
else start();

function start(): void {
  const root = document.getElementById("root");
  if (!root) throw new Error("index.html has no #root");

  // Use the preloaded font even if no code is visible yet; browsers warn about unused preloads.
  document.fonts.load('1em "Geist Mono Variable"').catch(() => undefined);
  measureScrollBar();
  const drover = new Drover();
  notifyOf(drover);
  drover.connection.onOpen(fetchViews);
  drover.connection.start();
  createRoot(root).render(
    <StrictMode>
      <DroverProvider value={drover}>
        <App />
      </DroverProvider>
    </StrictMode>,
  );
}
