import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { App } from "./App.js";
import "./styles.css";
import { PayerProvider } from "./wallet/Payer.js";

const queries = new QueryClient({
  defaultOptions: {
    // Fetched also when the browser believes itself offline: the service may run on the same machine, and a page that
    // waits silently shows nobody why.
    queries: { retry: 1, staleTime: 5_000, refetchOnWindowFocus: false, networkMode: "always" },
  },
});

const root = document.getElementById("root");
if (!root) throw new Error("index.html has no root");
createRoot(root).render(
  <StrictMode>
    <QueryClientProvider client={queries}>
      <PayerProvider>
        <App />
      </PayerProvider>
    </QueryClientProvider>
  </StrictMode>,
);
