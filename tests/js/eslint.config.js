import js from "@eslint/js";
import globals from "globals";

export default [
  { ignores: ["**/static/vendor/**", "**/node_modules/**"] },
  js.configs.recommended,
  {
    files: ["**/static/**/*.js"],
    languageOptions: { ecmaVersion: 2024, sourceType: "module", globals: { ...globals.browser, htmx: "readonly" } },
    linterOptions: { reportUnusedDisableDirectives: "error" },
    rules: {
      curly: ["error", "multi-line"],
      eqeqeq: "error",
      "no-shadow": "error",
      "no-unused-expressions": ["error", { allowShortCircuit: true, allowTernary: true }],
      "no-var": "error",
      "prefer-const": "error",
    },
  },
  { files: ["tests/js/*.js"], languageOptions: { globals: { ...globals.browser, ...globals.node, htmx: "readonly" } } },
  { files: ["tests/js/sw.test.js", "**/tests/js/sw.test.js"], languageOptions: { globals: globals.serviceworker } },
  { files: ["**/static/sw.js"], languageOptions: { sourceType: "script", globals: globals.serviceworker } },
];
