import { QueryClientProvider } from "@tanstack/react-query"
import { RouterProvider } from "@tanstack/react-router"
import { StrictMode } from "react"
import { createRoot } from "react-dom/client"
import { queries } from "./data/queries.ts"
import { router } from "./routes.tsx"
import { applyTheme, readTheme } from "./shell/theme.ts"

applyTheme(readTheme())
createRoot(document.getElementById("console")!).render(
  <StrictMode>
    <QueryClientProvider client={queries}>
      <RouterProvider router={router} />
    </QueryClientProvider>
  </StrictMode>
)
