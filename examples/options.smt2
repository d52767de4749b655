; The options of a small web server, as its configuration file allows them.
; Each solution is a configuration to test; together they switch every option,
; and every rule between options, on and off.
(set-logic QF_BV)

(declare-const tls Bool)           ; encrypt connections
(declare-const http2 Bool)         ; offer HTTP/2
(declare-const compress Bool)      ; compress answers
(declare-const cache Bool)         ; keep answers in memory
(declare-const workers (_ BitVec 4))
(declare-const port (_ BitVec 16))
(declare-const cache_mb (_ BitVec 8))

(assert (=> http2 tls))                          ; browsers want HTTP/2 encrypted
(assert (= cache (not (= cache_mb #x00))))       ; a cache has a size, and only a cache
(assert (bvult #x0 workers))                     ; somebody has to work
(assert (=> compress (bvule #x2 workers)))       ; compression needs a second worker
(assert (or (= port (ite tls #x01bb #x0050))     ; 443 or 80, ...
            (bvule #x0400 port)))                ; ... or a port that needs no privilege
(assert (not (and compress cache (bvugt cache_mb #x80))))

(check-sat)
