/* Two threads that count the same edges, then a process of its own. */
#include <pthread.h>
#include <stddef.h>
#include <sys/wait.h>
#include <unistd.h>

static volatile int sink;

static void *work(void *rounds)
{
    for (int i = 0; i < *(int *)rounds; i++)
        sink = i;
    return NULL;
}

static void turn(void)
{
    sink = 1;
}

int main(void)
{
    int rounds = 50000;
    pthread_t first, second;
    pthread_create(&first, NULL, work, &rounds);
    pthread_create(&second, NULL, work, &rounds);
    pthread_join(first, NULL);
    pthread_join(second, NULL);
    pid_t child = fork();
    for (int i = 0; i < (child ? 4000 : 444); i++)
        turn();
    if (child)
        waitpid(child, NULL, 0);
    return 0;
}
