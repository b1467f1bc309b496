// What the worker's script may take for granted.
export {};
declare global {
  interface Event {
    readonly data: PushMessageData | null;
    readonly notification: Notification;
    readonly request: Request;
    respondWith(answer: Response | Promise<Response>): void;
    waitUntil(work: Promise<unknown>): void;
  }
  interface NotificationOptions {
    renotify?: boolean;
  }
  const clients: Clients;
  const registration: ServiceWorkerRegistration;
  function skipWaiting(): Promise<void>;
}
