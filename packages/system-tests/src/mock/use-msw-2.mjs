// Loaded before a program, it gives whoever imports MSW the oldest that the mock allows.
import { registerHooks } from 'node:module';

registerHooks({
  resolve: (specifier, context, next) => next(specifier.replace(/^msw(?=\/|$)/, 'msw-2'), context),
});
